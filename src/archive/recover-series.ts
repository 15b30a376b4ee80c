import { readFile } from 'node:fs/promises';
import { DataError, type CandleColumns } from '../domain/index.js';
import { timestampsToNumbers } from './arrow-encode.js';
import { allocateColumns, COLUMN_NAMES } from './columns.js';
import { hashColumns } from './hash-columns.js';
import { parseDescription } from './metadata.js';
import { describeSeries, type SeriesInfo, type SeriesKey } from './series.js';

/** Candles of a file whose metadata was lost, with what the file says of itself. */
export interface RecoveredSeries {
  readonly info: Omit<SeriesInfo, 'file'>;
  readonly columns: CandleColumns;
}

/**
 * Reads an Arrow file of the archive without its metadata, after a crash between the two writes.
 *
 * @throws {DataError} `E_DATA_CORRUPT` unless the file is whole, of this series, and its values have the hash that it carries.
 */
export async function recoverSeries(path: string, key: SeriesKey): Promise<RecoveredSeries> {
  const { description, columns } = await decodeArrow(path);
  const info = parseDescription(description, path);
  if (info.instrumentId !== key.instrumentId || info.interval !== key.interval) {
    throw damaged(
      path,
      `expected candles of ${describeSeries(key)}, received ${describeSeries(info)}`,
    );
  }
  if (hashColumns(columns) !== info.columnsSha256) {
    throw damaged(path, 'its candles do not have the hash that it carries');
  }
  return { info, columns };
}

async function decodeArrow(
  path: string,
): Promise<{ readonly description: string; readonly columns: CandleColumns }> {
  const { tableFromIPC } = await import('apache-arrow');
  try {
    const table = tableFromIPC(await readFile(path));
    const description = table.schema.metadata.get('evenkeel');
    const children = table.batches[0]?.data.children ?? [];
    if (description === undefined || table.batches.length > 1)
      throw damaged(path, 'it is not ours');
    const columns = allocateColumns(table.numRows);
    for (const [index, name] of COLUMN_NAMES.entries())
      copyBits(children[index]?.values, columns[name]);
    timestampsToNumbers(columns.openTime);
    return { description, columns };
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw damaged(path, 'it cannot be read as an Arrow file', error);
  }
}

/** Copies eight bytes per row, whatever type they have. */
function copyBits(source: unknown, target: Float64Array): void {
  if (!ArrayBuffer.isView(source) || source.byteLength < target.byteLength) {
    throw new TypeError(`expected ${String(target.byteLength)} bytes in a column`);
  }
  new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(
    new Uint8Array(source.buffer, source.byteOffset, target.byteLength),
  );
}

function damaged(path: string, what: string, cause?: unknown): DataError {
  return new DataError(
    'E_DATA_CORRUPT',
    `${path} is damaged: ${what}; delete it with its .json and import the data again`,
    { cause },
  );
}
