import { readFile } from 'node:fs/promises';
import { DataError, type CandleColumns, type FundingColumns } from '../domain/index.js';
import { readBatches } from './arrow-batches.js';
import { timestampsToNumbers } from './arrow-encode.js';
import { allocateColumns, candleFileColumns, type FileColumn } from './columns.js';
import { corruptFile } from './data-file.js';
import { allocateFunding, fundingFileColumns, hashFunding } from './funding-columns.js';
import type { FundingInfo } from './series.js';
import { hashColumns } from './hash-columns.js';
import { CANDLES_METADATA, FUNDING_METADATA } from './metadata.js';
import { describeSeries, isSameSeries, nounOf, type SeriesInfo, type SeriesKey } from './series.js';

/** Candles of a file whose metadata was lost, with what the file says of itself. */
export interface RecoveredSeries {
  readonly info: Omit<SeriesInfo, 'file'>;
  readonly columns: CandleColumns;
}

/** Funding rates of a file whose metadata was lost. */
export interface RecoveredFunding {
  readonly info: Omit<FundingInfo, 'file'>;
  readonly columns: FundingColumns;
}

/**
 * Reads an Arrow file of the archive without its metadata, after a crash between the two writes.
 *
 * @throws {DataError} `E_DATA_CORRUPT` unless the file is whole, of this series, and its values have the hash that it carries.
 */
export async function recoverSeries(path: string, key: SeriesKey): Promise<RecoveredSeries> {
  const { description, columns } = await decodeArrow(path, (rows) => {
    const candles = allocateColumns(rows);
    return { columns: candles, fileColumns: candleFileColumns(candles) };
  });
  const info = CANDLES_METADATA.parseDescription(description, path);
  if (!isSameSeries(info, key)) {
    const received = describeSeries(info);
    throw corruptFile(
      path,
      `expected ${nounOf(key)} of ${describeSeries(key)}, received ${received}`,
    );
  }
  if (hashColumns(columns) !== info.columnsSha256) {
    throw corruptFile(path, `its ${nounOf(key)} do not have the hash that it carries`);
  }
  return { info, columns };
}

/**
 * As {@link recoverSeries}, for funding rates.
 *
 * @throws {DataError} `E_DATA_CORRUPT`.
 */
export async function recoverFunding(
  path: string,
  instrumentId: string,
): Promise<RecoveredFunding> {
  const { description, columns } = await decodeArrow(path, (rows) => {
    const funding = allocateFunding(rows);
    return { columns: funding, fileColumns: fundingFileColumns(funding) };
  });
  const info = FUNDING_METADATA.parseDescription(description, path);
  if (info.instrumentId !== instrumentId) {
    throw corruptFile(path, `expected funding of ${instrumentId}, received ${info.instrumentId}`);
  }
  if (hashFunding(columns) !== info.columnsSha256) {
    throw corruptFile(path, 'its rates do not have the hash that it carries');
  }
  return { info, columns };
}

interface Allocated<T> {
  readonly columns: T;
  readonly fileColumns: readonly FileColumn[];
}

async function decodeArrow<T>(
  path: string,
  allocate: (rows: number) => Allocated<T>,
): Promise<{ readonly description: string; readonly columns: T }> {
  const { RecordBatchReader } = await import('apache-arrow');
  try {
    const bytes = await readFile(path);
    const { schema, batches } = await readBatches(RecordBatchReader.from(bytes), bytes.byteLength);
    const description = schema.metadata.get('evenkeel');
    if (description === undefined || batches.length > 1) throw corruptFile(path, 'it is not ours');
    const children = batches[0]?.data.children ?? [];
    const { columns, fileColumns } = allocate(batches[0]?.numRows ?? 0);
    for (const [index, { kind, values }] of fileColumns.entries()) {
      copyBits(children[index]?.values, values);
      if (kind === 'time') timestampsToNumbers(values);
    }
    return { description, columns };
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw corruptFile(path, 'it cannot be read as an Arrow file', error);
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
