import { createHash } from 'node:crypto';
import { DataError, type CandleColumns } from '../../domain/index.js';
import type { MergeOptions, MergeReport } from '../archive.js';
import { SpanMeasure } from '../check/gaps.js';
import { COLUMN_NAMES, FILE_COLUMN_NAMES, ROW_BYTES, type ColumnName } from '../columns/columns.js';
import { FileMeasure, layBatch, toTimestamps, writeBatch } from '../files/arrow-encode.js';
import { writeFilesAtomically } from '../files/atomic-file.js';
import { seriesPaths } from '../files/layout.js';
import { CANDLES_METADATA } from '../files/metadata.js';
import type { SeriesSource } from './read-series.js';
import type { SeriesInfo } from './series.js';
import { StoredCandles } from './stored-candles.js';
import { StoredRows } from './stored-rows.js';

/** Rows that are read, hashed and written at once: 512 kB of a column. */
const PIECE_ROWS = 64 * 1024;

/**
 * Adds candles after the last stored one; the new file has the same bytes as after a merge. Copies the stored rows from the old file piece by piece:
 * memory does not grow with them. Undefined if some rows do not come after the stored ones, or if the stored series must be recovered.
 *
 * @throws {DataError} as `Archive.merge`.
 */
export async function appendRows(
  source: SeriesSource,
  info: SeriesInfo,
  incoming: CandleColumns,
  options: Pick<MergeOptions, 'source' | 'signal'>,
): Promise<MergeReport | undefined> {
  const { arrow: path, metadata } = seriesPaths(source.directory, source.key);
  const { open } = source;
  const append = async (stored: StoredCandles): Promise<MergeReport | undefined> => {
    const isBehind = (await stored.rowsBefore(incoming.openTime[0] ?? -Infinity)) === info.rows;
    if (!isBehind) return undefined;
    const rows = new StoredRows({ handle: stored.handle, info, path }, info.rows);
    return new Appending(source, info, rows, incoming).write(options);
  };
  try {
    return await StoredCandles.use({ path, metadata, info, open, verify: true }, append);
  } catch (error: unknown) {
    if (error instanceof DataError && error.code === 'E_DATA_TORN') return undefined;
    throw error;
  }
}

class Appending {
  readonly #source: SeriesSource;
  readonly #info: SeriesInfo;
  readonly #stored: StoredRows;
  readonly #incoming: CandleColumns;
  readonly #count: number;

  constructor(source: SeriesSource, info: SeriesInfo, stored: StoredRows, incoming: CandleColumns) {
    this.#source = source;
    this.#info = info;
    this.#stored = stored;
    this.#incoming = incoming;
    this.#count = stored.length + incoming.openTime.length;
  }

  async write({ source, signal }: Pick<MergeOptions, 'source' | 'signal'>): Promise<MergeReport> {
    const { directory, key, open } = this.#source;
    const paths = seriesPaths(directory, key);
    const span = this.#measureSpan();
    const { kind, instrumentId, interval, volumeUnit, sources } = this.#info;
    const description = {
      ...{ kind, instrumentId, interval, volumeUnit },
      sources: [...new Set([...sources, ...[source].flat()])],
      rows: this.#count,
      columnsSha256: this.#hash(),
      ...span,
    };
    const text = CANDLES_METADATA.formatDescription(description);
    const { chunks, headBytes } = await this.#frame(text);
    const measure = new FileMeasure(headBytes);
    const filled = measured(this.#filled(chunks, headBytes), measure);
    const info = (): SeriesInfo => ({ ...description, file: measure.end() });
    await writeFilesAtomically(
      [
        { path: paths.arrow, chunks: filled },
        { path: paths.metadata, chunks: describing(info) },
      ],
      { open, signal },
    );
    return { info: info(), added: this.#incoming.openTime.length, duplicates: 0, replaced: 0 };
  }

  /** Range and gaps of all rows. Reading the stored rows also checks each of them. */
  #measureSpan(): ReturnType<SpanMeasure['end']> {
    const span = new SpanMeasure(this.#info.interval);
    let reuse: CandleColumns | undefined;
    for (let row = 0; row < this.#stored.length; row += PIECE_ROWS) {
      const end = Math.min(row + PIECE_ROWS, this.#stored.length);
      reuse = this.#stored.read(row, end, reuse);
      span.take(reuse.openTime.subarray(0, end - row));
    }
    span.take(this.#incoming.openTime);
    return span.end();
  }

  /** SHA-256 of the values of all rows, as `hashColumns` computes it. */
  #hash(): string {
    const hash = createHash('sha256');
    for (const name of COLUMN_NAMES) for (const piece of this.#pieces(name)) hash.update(piece);
    return hash.digest('hex');
  }

  /** Yields a column in pieces: first the stored rows, then the incoming ones. A piece is valid until the next one. */
  *#pieces(name: ColumnName): Generator<Float64Array> {
    const piece = new Float64Array(Math.min(PIECE_ROWS, this.#stored.length));
    for (let row = 0; row < this.#stored.length; row += piece.length) {
      const values = piece.subarray(0, this.#stored.length - row);
      this.#stored.readColumn(name, row, values);
      yield values;
    }
    yield this.#incoming[name];
  }

  /** Pieces of a file of this size with placeholder columns. Only the bytes around the columns are used. */
  async #frame(
    description: string,
  ): Promise<{ readonly chunks: readonly Uint8Array[]; readonly headBytes: number }> {
    const arrow = await import('apache-arrow');
    // The library needs only the length of the columns. Memory that is never touched takes no RAM.
    const hollow = new Float64Array(this.#count);
    const times = new BigInt64Array(hollow.buffer);
    const columns = COLUMN_NAMES.map((name, index) => ({
      name: FILE_COLUMN_NAMES[index] ?? name,
      values: name === 'openTime' ? times : hollow,
    }));
    return writeBatch(arrow, layBatch(arrow, columns, description));
  }

  /** Yields the bytes of the new file: the frame with the real columns. */
  *#filled(chunks: readonly Uint8Array[], headBytes: number): Generator<Uint8Array> {
    const bodyEnd = headBytes + this.#count * ROW_BYTES;
    let position = 0;
    for (const chunk of chunks) {
      if (position === headBytes) yield* this.#body();
      if (position < headBytes || position >= bodyEnd) yield chunk;
      position += chunk.byteLength;
    }
  }

  *#body(): Generator<Uint8Array> {
    for (const name of COLUMN_NAMES)
      for (const piece of this.#pieces(name))
        yield bytesOf(name === 'openTime' ? toTimestamps(piece) : piece);
  }
}

/** The pieces of a file, each measured as it is handed on. */
function* measured(chunks: Iterable<Uint8Array>, measure: FileMeasure): Generator<Uint8Array> {
  for (const chunk of chunks) {
    measure.take(chunk);
    yield chunk;
  }
}

/** The metadata of a file, which is known when all of the file is written. */
function* describing(info: () => SeriesInfo): Generator<Uint8Array> {
  yield new TextEncoder().encode(CANDLES_METADATA.format(info()));
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
