import type { FileColumn } from '../columns/columns.js';

/** Rows that readers can skip or load at once. */
const ROWS_PER_GROUP = 100_000;

/** Encodes columns as a Parquet file: times as timestamps of milliseconds in UTC, numbers as doubles, none nullable. */
export async function encodeParquet(columns: readonly FileColumn[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const buffer = parquetWriteBuffer({
    columnData: columns.map(({ name, kind, values }) => ({
      name,
      data: kind === 'time' ? Array.from(values, BigInt) : values,
      type: kind === 'time' ? 'TIMESTAMP' : 'DOUBLE',
      nullable: false,
    })),
    rowGroupSize: ROWS_PER_GROUP,
    createdBy: 'evenkeel',
  });
  return new Uint8Array(buffer);
}
