import { readFile } from 'node:fs/promises';
import type * as Arrow from 'apache-arrow';
import { DataError } from '../../domain/index.js';
import { fileError } from '../data-file.js';
import { appendColumns, type CellValue } from './append-columns.js';
import { mapColumns } from './column-map.js';
import type { RowTarget } from './row-reader.js';

/** A batch takes more than this, even without rows. */
const LEAST_BATCH_BYTES = 64;

/**
 * Reads candles from an Arrow IPC file (Feather v2), uncompressed or with LZ4, as pandas writes it.
 *
 * Timestamps without a zone are taken as UTC: the format counts them from 1970-01-01 like those with one.
 * @throws {DataError} naming the file: `E_DATA_COLUMN`, `E_DATA_ROW`, `E_DATA_FORMAT` for ZSTD, `E_DATA_CORRUPT`, `E_DATA_READ`.
 */
export async function readArrow(
  target: RowTarget,
  { columns }: { readonly columns: readonly string[] | undefined },
): Promise<void> {
  const arrow = await import('apache-arrow');
  const bytes = await readWhole(target.path);
  await registerCodecs(arrow);
  let firstRow = 1;
  for (const batch of await decode(arrow, bytes, target.path)) {
    const names = columns ?? batch.schema.fields.map((field) => field.name);
    const getters = batch.data.children.map((data) => createGetter(arrow, data));
    appendColumns(
      target,
      {
        length: batch.numRows,
        firstRow,
        names,
        valueOf: (column, row) => getters[column]?.(row),
      },
      mapColumns(target.layout, names, target.path),
    );
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

/** The library's registry is one per process; codecs that somebody else registered stay. */
async function registerCodecs({
  compressionRegistry,
  CompressionType,
}: typeof Arrow): Promise<void> {
  const { default: lz4 } = await import('lz4js');
  if (compressionRegistry.get(CompressionType.LZ4_FRAME) === null) {
    compressionRegistry.set(CompressionType.LZ4_FRAME, {
      decode: (bytes) => lz4.decompress(bytes),
    });
  }
  if (compressionRegistry.get(CompressionType.ZSTD) === null) {
    compressionRegistry.set(CompressionType.ZSTD, {
      decode: () => {
        throw new DataError('E_DATA_FORMAT', 'ZSTD');
      },
    });
  }
}

async function decode(
  arrow: typeof Arrow,
  bytes: Uint8Array,
  path: string,
): Promise<readonly Arrow.RecordBatch[]> {
  try {
    return await readBatches(arrow.RecordBatchReader.from(bytes), bytes.byteLength);
  } catch (error) {
    if (error instanceof DataError) {
      throw new DataError(
        'E_DATA_FORMAT',
        `${path}: expected LZ4 or no compression, received ZSTD; save it again with to_feather(path, compression="lz4")`,
        { cause: error },
      );
    }
    throw new DataError('E_DATA_CORRUPT', `${path}: the Arrow file is damaged or cut short`, {
      cause: error,
    });
  }
}

/** Batch by batch: the library's own iteration never ends when the head of a batch is damaged. */
async function readBatches(
  reader: Arrow.RecordBatchReader,
  bytes: number,
): Promise<readonly Arrow.RecordBatch[]> {
  await reader.open();
  const batches: Arrow.RecordBatch[] = [];
  if (!reader.isFile()) {
    for await (const batch of reader) batches.push(batch);
    return batches;
  }
  if (reader.numRecordBatches > bytes / LEAST_BATCH_BYTES) {
    throw new RangeError(`${String(reader.numRecordBatches)} batches in ${String(bytes)} bytes`);
  }
  for (let index = 0; index < reader.numRecordBatches; index += 1) {
    const batch = await reader.readRecordBatch(index);
    if (batch === null) throw new RangeError(`no batch ${String(index)}`);
    batches.push(batch);
  }
  return batches;
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
