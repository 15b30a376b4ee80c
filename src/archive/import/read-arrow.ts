import { readFile } from 'node:fs/promises';
import type * as Arrow from 'apache-arrow';
import { DataError, TradingError } from '../../domain/index.js';
import { readBatches } from '../files/arrow-batches.js';
import { fileError } from '../files/data-file.js';
import { appendColumns, type CellValue } from './append-columns.js';
import { mapColumns } from './column-map.js';
import type { RowTarget } from './row-reader.js';
import { UnpackBudget } from './unpack-budget.js';

/** Thrown when the library meets ZSTD compression, which is not supported here. */
class ZstdError extends Error {}

/**
 * Reads candles from an Arrow IPC file (Feather v2), uncompressed or with LZ4, as pandas writes it.
 *
 * Timestamps without a zone are taken as UTC: the format counts them from 1970-01-01 like those with one.
 * @throws {DataError} naming the file: `E_DATA_COLUMN`, `E_DATA_ROW`, `E_DATA_FORMAT` for ZSTD and for data made to fill memory, `E_DATA_CORRUPT`, `E_DATA_READ`.
 */
export async function readArrow(
  target: RowTarget,
  { columns }: { readonly columns: readonly string[] | undefined },
): Promise<void> {
  const arrow = await import('apache-arrow');
  const bytes = await readWhole(target.path);
  await registerCodecs(arrow, new UnpackBudget(target.path, bytes.byteLength));
  try {
    const { batches } = await readBatches(arrow.RecordBatchReader.from(bytes), bytes.byteLength);
    appendBatches(arrow, target, { batches, columns });
  } catch (error) {
    throw explain(error, target.path);
  }
}

function appendBatches(
  arrow: typeof Arrow,
  target: RowTarget,
  source: {
    readonly batches: readonly Arrow.RecordBatch[];
    readonly columns: readonly string[] | undefined;
  },
): void {
  let firstRow = 1;
  for (const batch of source.batches) {
    const names = source.columns ?? batch.schema.fields.map((field) => field.name);
    const getters = batch.data.children.map((data) => createGetter(arrow, data));
    const valueOf = (column: number, row: number): CellValue => getters[column]?.(row);
    const rows = { length: batch.numRows, firstRow, names, valueOf };
    appendColumns(target, rows, mapColumns(target.layout, names, target.path));
    firstRow += batch.numRows;
  }
}

async function readWhole(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw fileError('E_DATA_READ', `read ${path}`, error);
  }
}

/** The library has one registry per process. Each file registers its own budget before it is read. */
async function registerCodecs(
  { compressionRegistry, CompressionType }: typeof Arrow,
  budget: UnpackBudget,
): Promise<void> {
  const { default: lz4 } = await import('lz4js');
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    ...compressionRegistry.get(CompressionType.LZ4_FRAME),
    decode: (bytes) => {
      // One byte more than the budget reveals that the data is too large.
      const most = Math.min(lz4.decompressBound(bytes), budget.left + 1);
      const unpacked = lz4.decompress(bytes, most);
      budget.take(unpacked.byteLength);
      return unpacked;
    },
  });
  if (compressionRegistry.get(CompressionType.ZSTD) === null) {
    compressionRegistry.set(CompressionType.ZSTD, {
      decode: () => {
        throw new ZstdError();
      },
    });
  }
}

function explain(error: unknown, path: string): unknown {
  if (error instanceof ZstdError) {
    return new DataError(
      'E_DATA_FORMAT',
      `${path}: expected LZ4 or no compression, received ZSTD; save it again with to_feather(path, compression="lz4")`,
      { cause: error },
    );
  }
  if (error instanceof TradingError) return error;
  return new DataError('E_DATA_CORRUPT', `${path}: the Arrow file is damaged or truncated`, {
    cause: error,
  });
}

type Getter = (row: number) => CellValue;

/** Reads the values of a column where they lie; the library's own getters are ten times slower. */
function createGetter(arrow: typeof Arrow, data: Arrow.Data): Getter {
  const read = createValueGetter(arrow, data);
  if (data.nullCount === 0) return read;
  return (row) => (data.getValid(row) ? read(row) : undefined);
}

function createValueGetter(arrow: typeof Arrow, data: Arrow.Data): Getter {
  const { DataType } = arrow;
  const values: unknown = data.values;
  const type = data.type;
  if (DataType.isTimestamp(type) && values instanceof BigInt64Array) {
    const perMs = timestampScale(arrow, type.unit);
    return (row) => new Date(perMs(values[row] ?? 0n));
  }
  if (DataType.isDate(type)) {
    const vector = new arrow.Vector([data]);
    return (row) => new Date(Number(vector.get(row)));
  }
  const isNumber = DataType.isFloat(type) && type.precision !== arrow.Precision.HALF;
  if ((isNumber || DataType.isInt(type)) && isNumbers(values)) return (row) => values[row];
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    const vector = new arrow.Vector([data]);
    return (row) => String(vector.get(row));
  }
  return () => `a value of type ${arrow.Type[type.typeId]}`;
}

function timestampScale(
  { TimeUnit }: typeof Arrow,
  unit: Arrow.TimeUnit,
): (value: bigint) => number {
  switch (unit) {
    case TimeUnit.SECOND:
      return (value) => Number(value) * 1_000;
    case TimeUnit.MILLISECOND:
      return Number;
    case TimeUnit.MICROSECOND:
      return (value) => Number(value) / 1_000;
    case TimeUnit.NANOSECOND:
      return (value) => Number(value / 1_000n) / 1_000;
  }
}

function isNumbers(values: unknown): values is ArrayLike<number | bigint> {
  return ArrayBuffer.isView(values) && 'length' in values;
}
