import type { FileLayout } from './file-layout.js';
import { RawRows } from './raw-rows.js';
import { readArrow } from './read-arrow.js';
import { readParquet } from './read-parquet.js';
import { RefusedRowLog, type RefusedRows } from './refused-rows.js';
import { TimeParser } from './time-parser.js';

/** Which binary file is read, and how. It can be sent to another thread. */
export interface BinaryFileRequest {
  readonly path: string;
  readonly format: 'feather' | 'parquet';
  readonly layout: FileLayout;
  /** Names of the columns in order; undefined: the file's own. */
  readonly columns: readonly string[] | undefined;
  readonly assumeUtc: boolean;
  /** Whether rows that cannot be read are counted instead of ending the reading. */
  readonly skipBad: boolean;
}

/** Rows of a binary file in its own order. They can be sent to another thread. */
export interface BinaryRows {
  /** In the order of the layout. */
  readonly columns: readonly Float64Array[];
  /** Numbers of the rows in the file, from 1. */
  readonly numbers: Uint32Array;
  /** How the file writes time, for example `timestamps`. */
  readonly timeFormat: string;
  readonly refused: RefusedRows;
}

/**
 * Reads Feather and Parquet. The libraries for them can loop for ever over a damaged file: a caller that must not hang passes a reader
 * that always ends.
 *
 * @throws {DataError} as {@link readBinaryFile}; the signal's reason when it is aborted.
 */
export type ReadBinaryFile = (
  request: BinaryFileRequest,
  signal: AbortSignal | undefined,
) => Promise<BinaryRows>;

/**
 * Reads a Feather or Parquet file in the thread of the caller. A damaged file may keep it busy for ever.
 *
 * @throws {DataError} naming the file: `E_DATA_COLUMN`, `E_DATA_ROW`, `E_DATA_FORMAT`, `E_DATA_CORRUPT`, `E_DATA_READ`.
 */
export async function readBinaryFile(request: BinaryFileRequest): Promise<BinaryRows> {
  const { path, format, layout, columns, assumeUtc, skipBad } = request;
  const rows = new RawRows(layout.columns.length);
  const times = new TimeParser({ assumeUtc });
  const refused = new RefusedRowLog();
  const target = { path, layout, rows, times, refused: skipBad ? refused : undefined };
  if (format === 'feather') await readArrow(target, { columns });
  else await readParquet(target, { columns });
  return {
    columns: rows.columns,
    numbers: rows.numbers,
    timeFormat: times.format,
    refused: refused.summary,
  };
}
