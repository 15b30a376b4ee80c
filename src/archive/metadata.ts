import { formatUtc, parseInstrumentId, parseInterval, parseUtc } from '../domain/index.js';
import { JsonObject, parseJsonFile } from './json-object.js';
import { SERIES_KINDS, VOLUME_UNITS, type SeriesInfo, type StoredFile } from './series.js';

/** Version of the metadata's shape. */
export const METADATA_VERSION = 1;

/**
 * Writes the metadata of a series as JSON for people and programs.
 *
 * @example `{ "version": 1, "kind": "candles", "instrument": "spot:BTCUSDT", "interval": "1h", "volumeUnit": "base", "sources": ["btc.csv.gz"], "rows": 8760, "from": "2024-07-01T00:00:00Z", "to": "2025-07-01T00:00:00Z", "gaps": 0, "missing": 0, "columnsSha256": "…", "file": { "bytes": 421898, "sha256": "…", "headBytes": 1208, "headSha256": "…" } }`
 */
export function formatMetadata(info: SeriesInfo): string {
  const document = { version: METADATA_VERSION, ...describeColumns(info), file: info.file };
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
  const root = new JsonObject(parseJsonFile(text, path), path, '');
  root.literal('version', METADATA_VERSION);
  return { ...parseColumnsDescription(root), file: parseStoredFile(root.object('file')) };
}

/** Reads what was recorded of an Arrow file. */
export function parseStoredFile(file: JsonObject): StoredFile {
  return {
    bytes: file.count('bytes'),
    sha256: file.sha256('sha256'),
    headBytes: file.count('headBytes'),
    headSha256: file.sha256('headSha256'),
  };
}

/**
 * Reads what an Arrow file says of itself, see {@link describeColumns}.
 *
 * @throws {DataError} `E_DATA_METADATA` naming the file and the key.
 */
export function parseDescription(text: string, path: string): Omit<SeriesInfo, 'file'> {
  return parseColumnsDescription(new JsonObject(parseJsonFile(text, path), path, ''));
}

function parseColumnsDescription(root: JsonObject): Omit<SeriesInfo, 'file'> {
  return {
    kind: root.oneOf('kind', SERIES_KINDS),
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
