import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ColumnData, Compressors, FileMetaData } from 'hyparquet';
import { DataError, TradingError } from '../../domain/index.js';
import { hasSystemCode, fileError } from '../files/data-file.js';
import { appendColumns, type CellValue } from './append-columns.js';
import { mapColumns } from './column-map.js';
import type { RowTarget } from './row-reader.js';
import { MOST_ROWS } from './text-bounds.js';
import { UnpackBudget } from './unpack-budget.js';

/** Codecs that the library lacks. It has SNAPPY, which unpacks to at most twenty times the size. */
const unpackers = (budget: UnpackBudget): Compressors => {
  const limited = (length: number): { readonly maxOutputLength: number } => ({
    maxOutputLength: Math.max(budget.take(length), 1),
  });
  return {
    GZIP: (bytes, length) => gunzipSync(bytes, limited(length)),
    BROTLI: (bytes, length) => brotliDecompressSync(bytes, limited(length)),
  };
};
const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI'];

/**
 * Reads candles from a Parquet file, one row group at a time.
 *
 * @throws {DataError} naming the file: `E_DATA_COLUMN`, `E_DATA_ROW`, `E_DATA_FORMAT` for other codecs and for data made to fill memory, `E_DATA_CORRUPT`,
 * `E_DATA_READ`.
 */
export async function readParquet(
  target: RowTarget,
  { columns }: { readonly columns: readonly string[] | undefined },
): Promise<void> {
  try {
    const parquet = await import('hyparquet');
    const file = await parquet.asyncBufferFromFile(target.path);
    const metadata = await parquet.parquetMetadataAsync(file);
    requireCodecs(metadata, target.path);
    requireRows(metadata, target.path);
    const compressors = unpackers(new UnpackBudget(target.path, file.byteLength));
    const stored = parquet.parquetSchema(metadata).children.map((child) => child.element.name);
    const names = columns ?? stored;
    const map = mapColumns(target.layout, names, target.path);
    let start = 0;
    for (const group of metadata.row_groups) {
      const length = Number(group.num_rows);
      const cells = new GroupCells(stored, start, length);
      await parquet.parquetRead({
        file,
        metadata,
        rowStart: start,
        rowEnd: start + length,
        columns: map.map((place) => stored[place] ?? ''),
        compressors,
        onChunk: (chunk) => {
          cells.add(chunk);
        },
      });
      const valueOf = (column: number, row: number): CellValue => cells.valueOf(column, row);
      appendColumns(target, { length, firstRow: start + 1, names, valueOf }, map);
      start += length;
    }
  } catch (error) {
    throw explain(error, target.path);
  }
}

/** The values of one row group, gathered from the pieces in which the library gives them. */
class GroupCells {
  readonly #names: readonly string[];
  readonly #start: number;
  readonly #columns = new Map<number, CellValue[]>();
  readonly #length: number;

  constructor(names: readonly string[], start: number, length: number) {
    this.#names = names;
    this.#start = start;
    this.#length = length;
  }

  add({ columnName, columnData, rowStart }: ColumnData): void {
    const column = this.#names.indexOf(columnName);
    const cells = this.#columns.get(column) ?? new Array<CellValue>(this.#length);
    this.#columns.set(column, cells);
    const offset = rowStart - this.#start;
    for (let row = 0; row < columnData.length; row += 1) {
      // The library types its values as any.
      const value: unknown = columnData[row];
      cells[offset + row] = isCellValue(value) ? value : `a value of type ${typeof value}`;
    }
  }

  valueOf(column: number, row: number): CellValue {
    return this.#columns.get(column)?.[row];
  }
}

function isCellValue(value: unknown): value is CellValue {
  if (value === null || value instanceof Date) return true;
  return ['number', 'bigint', 'string', 'undefined'].includes(typeof value);
}

function requireCodecs({ row_groups: groups }: FileMetaData, path: string): void {
  for (const { columns } of groups) {
    for (const { meta_data: column } of columns) {
      if (column === undefined || CODECS.includes(column.codec)) continue;
      throw new DataError(
        'E_DATA_FORMAT',
        `${path}: expected compression ${CODECS.join(', ')}, received ${column.codec}; save it again with to_parquet(path, compression="snappy")`,
      );
    }
  }
}

/** Limits the number of rows, because a file of a few bytes may claim any number. */
function requireRows({ row_groups: groups }: FileMetaData, path: string): void {
  const rows = groups.reduce((sum, { num_rows: length }) => sum + Number(length), 0);
  if (rows <= MOST_ROWS) return;
  throw new DataError(
    'E_DATA_FORMAT',
    `${path}: expected at most ${String(MOST_ROWS)} rows in one file, received ${String(rows)}; split it`,
  );
}

function explain(error: unknown, path: string): unknown {
  if (error instanceof TradingError) return error;
  if (hasSystemCode(error, 'ENOENT', 'EACCES', 'EISDIR', 'EIO')) {
    return fileError('E_DATA_READ', `read ${path}`, error);
  }
  return new DataError('E_DATA_CORRUPT', `${path}: the Parquet file is damaged or truncated`, {
    cause: error,
  });
}
