import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DataError } from '../../domain/index.js';
import { fileError } from '../files/data-file.js';
import { findLineEnd, PlainLines, type LineEnd } from './plain-lines.js';
import { RowConsumer } from './row-consumer.js';
import type { RowTarget } from './row-reader.js';
import { LONGEST_ROW, MOST_TEXT_BYTES } from './text-bounds.js';

interface CsvOptions {
  readonly isGzip: boolean;
  /** Names of the columns in order, where the file has no header or an unusual one. */
  readonly columns: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((rows: number) => void) | undefined;
  /** Text from elsewhere, such as an entry of an archive. @defaultValue the file at the target's path */
  readonly source?: AsyncIterable<Buffer> | undefined;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * Reads candles from a CSV file, gzipped or not, row by row: only one piece of the text is in memory. The number of rows, their
 * length and the text are bounded. After each piece of text it yields the number of rows in the target.
 *
 * @throws {DataError} naming the file: `E_DATA_EMPTY`, `E_DATA_COLUMN`, `E_DATA_ROW`, `E_DATA_CORRUPT` when the gzip data is damaged
 * or cut short, `E_DATA_FORMAT` when it is no text or beyond the bounds, `E_DATA_READ`.
 */
export async function* readCsv(target: RowTarget, options: CsvOptions): AsyncGenerator<number> {
  const text = new PeekedText(options.source ?? openText(target.path, options.isGzip), target.path);
  try {
    const first = await text.first();
    const delimiter = detectDelimiter(first.toString('utf8').split('\n', 1)[0] ?? '');
    const { columns, onProgress } = options;
    const consumer = new RowConsumer(target, {
      columns,
      delimiter: delimiter.charCodeAt(0),
      onProgress,
    });
    const lineEnd = findLineEnd(first);
    const { signal } = options;
    let rest: AsyncIterable<Buffer> | undefined = text.chunks();
    if (lineEnd !== undefined) {
      const lines = new PlainLines(consumer, target.path, lineEnd);
      rest = yield* readPlain(text, lines, { target, signal });
    }
    if (rest !== undefined)
      yield* parse(rest, consumer, { delimiter, lineEnd }, { target, signal });
  } catch (error) {
    throw explain(error, target.path, options);
  } finally {
    await text.close();
  }
}

interface Reading {
  readonly target: RowTarget;
  readonly signal: AbortSignal | undefined;
}

/** Reads rows as long as the text is plain. Returns the rest of the text; undefined if nothing is left. */
async function* readPlain(
  text: PeekedText,
  lines: PlainLines,
  { target, signal }: Reading,
): AsyncGenerator<number, AsyncIterable<Buffer> | undefined> {
  const chunks = text.chunks();
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    signal?.throwIfAborted();
    const rest = lines.take(next.value);
    if (rest !== undefined) return joined(rest, chunks);
    yield target.rows.length;
  }
  const last = lines.end();
  return last === undefined ? undefined : joined(last, chunks);
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield first;
  yield* rest;
}

interface TextLayout {
  readonly delimiter: string;
  /** Undefined: the parser finds it. */
  readonly lineEnd: LineEnd | undefined;
}

/** Reads text that is not plain, piece by piece. */
async function* parse(
  text: AsyncIterable<Buffer>,
  consumer: RowConsumer,
  { delimiter, lineEnd }: TextLayout,
  { target, signal }: Reading,
): AsyncGenerator<number> {
  const { Parser } = await import('csv-parse');
  const parser = new Parser({
    delimiter,
    ...(lineEnd === undefined ? {} : { record_delimiter: lineEnd }),
    max_record_size: LONGEST_ROW,
    // Rows of another length are reported by their number, not as an error of the parser.
    relax_column_count: true,
    // Rows that go through the stream of objects cost as much again as parsing them.
    on_record: (cells: readonly string[]) => {
      consumer.take(cells);
      return null;
    },
  });
  // An error also rejects the write below.
  const ended = finished(parser.resume());
  ended.catch(() => undefined);
  try {
    for await (const piece of text) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        parser.write(piece, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
      yield target.rows.length;
    }
    parser.end();
    await ended;
  } finally {
    parser.destroy();
  }
}

function openText(path: string, isGzip: boolean): AsyncIterable<Buffer> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (!isGzip) return file;
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  file.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => file.destroy());
  return file.pipe(gunzip);
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A stream of text whose first piece can be examined before it is read. Drops the byte order mark that some programs write first. */
class PeekedText {
  readonly #iterator: AsyncIterator<Buffer>;
  readonly #path: string;
  #first: Buffer | undefined;
  #bytes = 0;

  constructor(source: AsyncIterable<Buffer>, path: string) {
    this.#iterator = source[Symbol.asyncIterator]();
    this.#path = path;
  }

  async first(): Promise<Buffer> {
    const next = await this.#next();
    if (next === undefined) throw new DataError('E_DATA_EMPTY', `${this.#path} is empty`);
    if (next.includes(0)) {
      throw new DataError(
        'E_DATA_FORMAT',
        `${this.#path}: expected CSV in UTF-8 (plain or gzipped), Feather or Parquet, received other bytes`,
      );
    }
    const isMarked = next.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    this.#first = isMarked ? next.subarray(BYTE_ORDER_MARK.length) : next;
    return this.#first;
  }

  async *chunks(): AsyncGenerator<Buffer> {
    if (this.#first !== undefined) yield this.#first;
    for (let next = await this.#next(); next !== undefined; next = await this.#next()) yield next;
  }

  async #next(): Promise<Buffer | undefined> {
    const next = await this.#iterator.next();
    if (next.done === true) return undefined;
    this.#bytes += next.value.length;
    if (this.#bytes <= MOST_TEXT_BYTES) return next.value;
    throw new DataError(
      'E_DATA_FORMAT',
      `${this.#path}: expected at most ${String(MOST_TEXT_BYTES)} bytes of text, received more; split it`,
    );
  }

  /** Frees the file, whether it was read to its end or not. */
  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}

function detectDelimiter(line: string): string {
  const counted = DELIMITERS.map((delimiter) => ({
    delimiter,
    count: line.split(delimiter).length,
  }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

function explain(error: unknown, path: string, { isGzip, signal }: CsvOptions): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof DataError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  // One error of the parser has no prefix.
  if (code.startsWith('CSV_') || code === 'INVALID_OPENING_QUOTE') {
    return new DataError('E_DATA_ROW', `${path}: expected CSV: ${message}`, { cause: error });
  }
  if (isGzip && code.startsWith('Z_')) {
    return new DataError(
      'E_DATA_CORRUPT',
      `${path}: the gzip data is damaged or truncated: ${message}`,
      {
        cause: error,
      },
    );
  }
  return fileError('E_DATA_READ', `read ${path}`, error);
}
