import type { CandleColumns } from '../../domain/index.js';
import { COLUMN_NAMES, FILE_COLUMN_NAMES } from '../columns.js';

/** Rows that readers can skip or load at once. */
const ROWS_PER_GROUP = 100_000;

/** Encodes candles as a Parquet file: `open_time` as a timestamp of milliseconds in UTC, the others as doubles, none nullable. */
export async function encodeParquet(columns: CandleColumns): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const buffer = parquetWriteBuffer({
    columnData: COLUMN_NAMES.map((column, index) => ({
      name: FILE_COLUMN_NAMES[index] ?? column,
      data: column === 'openTime' ? Array.from(columns.openTime, BigInt) : columns[column],
      type: column === 'openTime' ? 'TIMESTAMP' : 'DOUBLE',
      nullable: false,
    })),
    rowGroupSize: ROWS_PER_GROUP,
    createdBy: 'evenkeel',
  });
  return new Uint8Array(buffer);
}
