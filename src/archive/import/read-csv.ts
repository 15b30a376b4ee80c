import { createReadStream } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DataError } from '../../domain/index.js';
import { fileError } from '../data-file.js';
import { mapColumns } from './column-map.js';
import { RowReader, type RowTarget } from './row-reader.js';

export interface CsvOptions {
  readonly isGzip: boolean;
  /** Names of the columns in order, where the file has no header or an unusual one. */
  readonly columns: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((rows: number) => void) | undefined;
}

const PROGRESS_ROWS = 50_000;
const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * Reads candles from a CSV file, gzipped or not, row by row: of the text only the piece at hand is in memory.
 *
 * @throws {DataError} naming the file: `E_DATA_EMPTY`, `E_DATA_COLUMN`, `E_DATA_ROW`, `E_DATA_CORRUPT` when the gzip data is damaged
 * or cut short, `E_DATA_FORMAT` when it is no text, `E_DATA_READ`.
 */
export async function readCsv(target: RowTarget, options: CsvOptions): Promise<void> {
  const { Parser } = await import('csv-parse');
  const text = new PeekedText(openText(target.path, options.isGzip));
  try {
    const firstLine = await text.firstLine(target.path);
    const parser = new Parser({
      bom: true,
      delimiter: detectDelimiter(firstLine),
      // Rows of another length are reported by their number, not as an error of the parser.
      relax_column_count: true,
    });
    const consumer = new RowConsumer(target, options);
    const sink = new Writable({
      objectMode: true,
      highWaterMark: 1_024,
      write: (cells: readonly string[], _encoding, done) => {
        try {
          consumer.take(cells);
          done();
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      },
    });
    await pipeline(Readable.from(text.chunks()), parser, sink, { signal: options.signal });
  } catch (error) {
    throw explain(error, target.path, options);
  } finally {
    await text.close();
  }
}

/** Tells the header from the rows and hands the rows on with their numbers. */
class RowConsumer {
  readonly #target: RowTarget;
  readonly #columns: readonly string[] | undefined;
  readonly #onProgress: ((rows: number) => void) | undefined;
  #reader: RowReader | undefined;
  #number = 0;

  constructor(target: RowTarget, { columns, onProgress }: CsvOptions) {
    this.#target = target;
    this.#columns = columns;
    this.#onProgress = onProgress;
  }

  take(cells: readonly string[]): void {
    this.#number += 1;
    if (this.#number % PROGRESS_ROWS === 0) this.#onProgress?.(this.#number);
    const isBlank = cells.length === 1 && (cells[0] ?? '').trim() === '';
    if (isBlank) return;
    if (this.#reader !== undefined) {
      this.#reader.read(cells, this.#number);
      return;
    }
    const isHeader = !/^\s*[+-]?\d/.test(cells.find((cell) => cell.trim() !== '') ?? '');
    this.#reader = this.#createReader(cells, isHeader);
    if (!isHeader) this.#reader.read(cells, this.#number);
  }

  #createReader(cells: readonly string[], isHeader: boolean): RowReader {
    const names = this.#columns ?? (isHeader ? cells : undefined);
    const { layout, path } = this.#target;
    if (names !== undefined) {
      return new RowReader(this.#target, mapColumns(layout, names, path), names);
    }
    const { dumpColumns } = layout;
    if (cells.length === dumpColumns) {
      const firstOnes = layout.columns.map((_, index) => index);
      return new RowReader(this.#target, firstOnes, []);
    }
    const dump = dumpColumns === undefined ? '' : `, or ${String(dumpColumns)} columns without one`;
    throw new DataError(
      'E_DATA_COLUMN',
      `${path} row ${String(this.#number)}: expected a header${dump}, received ${String(cells.length)} columns without a header; name them in order with --columns`,
    );
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

/** A stream of text whose first piece can be looked at before it is read. */
class PeekedText {
  readonly #iterator: AsyncIterator<Buffer>;
  #first: Buffer | undefined;

  constructor(source: AsyncIterable<Buffer>) {
    this.#iterator = source[Symbol.asyncIterator]();
  }

  async firstLine(path: string): Promise<string> {
    const next = await this.#iterator.next();
    if (next.done === true) throw new DataError('E_DATA_EMPTY', `${path} is empty`);
    this.#first = next.value;
    if (this.#first.includes(0)) {
      throw new DataError(
        'E_DATA_FORMAT',
        `${path}: expected CSV in UTF-8, gzipped or not, or a Feather or Parquet file, received bytes that are none of them`,
      );
    }
    return this.#first.toString('utf8').split('\n', 1)[0] ?? '';
  }

  async *chunks(): AsyncGenerator<Buffer> {
    if (this.#first !== undefined) yield this.#first;
    for (
      let next = await this.#iterator.next();
      next.done !== true;
      next = await this.#iterator.next()
    ) {
      yield next.value;
    }
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
  if (code.startsWith('CSV_')) {
    return new DataError('E_DATA_ROW', `${path}: expected CSV: ${message}`, { cause: error });
  }
  if (isGzip && code.startsWith('Z_')) {
    return new DataError(
      'E_DATA_CORRUPT',
      `${path}: the gzip data is damaged or cut short: ${message}`,
      {
        cause: error,
      },
    );
  }
  return fileError('E_DATA_READ', `read ${path}`, error);
}
