import {
  DataError,
  formatUtc,
  parseInstrumentId,
  parseInterval,
  parseUtc,
  TradingError,
} from '../domain/index.js';
import { VOLUME_UNITS, type SeriesInfo } from './series.js';

const VERSION = 1;

/**
 * Writes the metadata of a series as JSON for people and programs.
 *
 * @example `{ "version": 1, "kind": "candles", "instrument": "spot:BTCUSDT", "interval": "1h", "volumeUnit": "base", "sources": ["btc.csv.gz"], "rows": 8760, "from": "2024-07-01T00:00:00Z", "to": "2025-07-01T00:00:00Z", "gaps": 0, "missing": 0, "columnsSha256": "…", "file": { "bytes": 421898, "sha256": "…", "headBytes": 1208, "headSha256": "…" } }`
 */
export function formatMetadata(info: SeriesInfo): string {
  const document = { version: VERSION, ...describeColumns(info), file: info.file };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** What of the metadata does not depend on the bytes of the file; the Arrow file carries it too, so that it explains itself. */
export function describeColumns(info: Omit<SeriesInfo, 'file'>): Readonly<Record<string, unknown>> {
  return {
    kind: info.kind,
    instrument: info.instrumentId,
    interval: info.interval,
    volumeUnit: info.volumeUnit,
    sources: info.sources,
    rows: info.rows,
    from: formatUtc(info.from),
    to: formatUtc(info.to),
    gaps: info.gaps,
    missing: info.missing,
    columnsSha256: info.columnsSha256,
  };
}

/**
 * Reads the metadata of a series.
 *
 * @throws {DataError} `E_DATA_METADATA` naming the file and the key when the text is no metadata of candles.
 */
export function parseMetadata(text: string, path: string): SeriesInfo {
  const root = new JsonObject(parseJson(text, path), path, '');
  root.literal('version', VERSION);
  root.literal('kind', 'candles');
  const file = root.object('file');
  return {
    ...parseColumnsDescription(root),
    file: {
      bytes: file.count('bytes'),
      sha256: file.sha256('sha256'),
      headBytes: file.count('headBytes'),
      headSha256: file.sha256('headSha256'),
    },
  };
}

/**
 * Reads what an Arrow file says of itself, see {@link describeColumns}.
 *
 * @throws {DataError} `E_DATA_METADATA` naming the file and the key.
 */
export function parseDescription(text: string, path: string): Omit<SeriesInfo, 'file'> {
  const root = new JsonObject(parseJson(text, path), path, '');
  root.literal('kind', 'candles');
  return parseColumnsDescription(root);
}

function parseColumnsDescription(root: JsonObject): Omit<SeriesInfo, 'file'> {
  return {
    kind: 'candles',
    instrumentId: root.parsed('instrument', parseInstrumentId),
    interval: root.parsed('interval', parseInterval),
    volumeUnit: root.oneOf('volumeUnit', VOLUME_UNITS),
    sources: root.texts('sources'),
    rows: root.count('rows'),
    from: root.parsed('from', parseUtc),
    to: root.parsed('to', parseUtc),
    gaps: root.count('gaps'),
    missing: root.count('missing'),
    columnsSha256: root.sha256('columnsSha256'),
  };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataError('E_DATA_METADATA', `${path}: expected JSON`, {
      cause: error,
    });
  }
}

/** A JSON object whose members are read with errors that name file and key. */
class JsonObject {
  readonly #members: ReadonlyMap<string, unknown>;
  readonly #path: string;
  readonly #prefix: string;

  constructor(value: unknown, path: string, prefix: string) {
    this.#path = path;
    this.#prefix = prefix;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.#error('', 'an object', value);
    }
    this.#members = new Map(Object.entries(value));
  }

  object(key: string): JsonObject {
    return new JsonObject(this.#members.get(key), this.#path, `${this.#prefix}${key}.`);
  }

  literal(key: string, expected: string | number): void {
    const value = this.#members.get(key);
    if (value !== expected) throw this.#error(key, JSON.stringify(expected), value);
  }

  text(key: string): string {
    const value = this.#members.get(key);
    if (typeof value !== 'string') throw this.#error(key, 'a text', value);
    return value;
  }

  texts(key: string): readonly string[] {
    const value = this.#members.get(key);
    const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
    if (!isTexts) throw this.#error(key, 'a list of texts', value);
    return value;
  }

  count(key: string): number {
    const value = this.#members.get(key);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw this.#error(key, 'a whole number', value);
    }
    return value;
  }

  sha256(key: string): string {
    const value = this.text(key);
    if (!/^[0-9a-f]{64}$/.test(value)) throw this.#error(key, 'a SHA-256 in hex', value);
    return value;
  }

  oneOf<T extends string>(key: string, choices: readonly T[]): T {
    const value = this.text(key);
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw this.#error(key, `one of ${choices.join(', ')}`, value);
    return choice;
  }

  parsed<T>(key: string, parse: (text: string) => T): T {
    const value = this.text(key);
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof TradingError)) throw error;
      throw new DataError(
        'E_DATA_METADATA',
        `${this.#path}: ${this.#prefix}${key}: ${error.message}`,
        { cause: error },
      );
    }
  }

  #error(key: string, expected: string, received: unknown): DataError {
    const shown = received === undefined ? 'nothing' : JSON.stringify(received).slice(0, 60);
    return new DataError(
      'E_DATA_METADATA',
      `${this.#path}: ${this.#prefix}${key}: expected ${expected}, received ${shown}`,
    );
  }
}
