import { createHash } from 'node:crypto';
import type * as Arrow from 'apache-arrow';
import { InvariantError } from '../../domain/index.js';
import type { FileColumn } from '../columns/columns.js';
import type { StoredFile } from '../stored/series.js';

/** An Arrow file: its pieces, to write one after the other, and its size and hashes for the metadata. */
interface EncodedFile {
  readonly chunks: readonly Uint8Array[];
  readonly file: StoredFile;
}

const TWO_TO_32 = 4_294_967_296;

/**
 * Encodes columns of equal length as an uncompressed Arrow IPC file (Feather v2) of one record batch: times as timestamp[ms, UTC],
 * numbers as float64, without validity bitmaps, so that the columns lie one after the other behind the head.
 *
 * Times are timestamps and not float64 because pandas, polars and R then show them as times; turning them into float64 on
 * reading costs a few nanoseconds per row. The arrays are not copied.
 * @param description goes into the schema's metadata under `evenkeel`.
 */
export async function encodeArrow(
  columns: readonly FileColumn[],
  description: string,
): Promise<EncodedFile> {
  const arrow = await import('apache-arrow');
  const { chunks, headBytes } = await writeBatch(arrow, createBatch(arrow, columns, description));
  return { chunks, file: measure(chunks, headBytes, bodyBytesOf(columns)) };
}

/** Writes one batch as a file, in the pieces that the library makes. `headBytes`: number of bytes before the first column. */
export async function writeBatch(
  arrow: typeof Arrow,
  batch: Arrow.RecordBatch,
): Promise<{ readonly chunks: readonly Uint8Array[]; readonly headBytes: number }> {
  let headBytes = 0;
  class FileWriter extends arrow.RecordBatchFileWriter {
    /** The library's file writer leaves out the schema message that the format puts behind the magic. */
    protected override _writeSchema(schema: Arrow.Schema): this {
      return this._writeMagic()._writePadding(2)._writeMessage(arrow.Message.from(schema));
    }

    protected override _writeBodyBuffers(buffers: ArrayBufferView[]): this {
      headBytes = this._position;
      return super._writeBodyBuffers(buffers);
    }
  }
  const writer = new FileWriter();
  writer.write(batch);
  writer.finish();
  const pieces: AsyncIterable<Uint8Array> = writer;
  const chunks: Uint8Array[] = [];
  // One by one: the library's own join treats neighboring buffers as one range and then writes corrupt files.
  for await (const piece of pieces) chunks.push(piece);
  return { chunks, headBytes };
}

/** Columns of equal length as the one batch of a file. */
function createBatch(
  arrow: typeof Arrow,
  columns: readonly FileColumn[],
  description: string,
): Arrow.RecordBatch {
  const stored = columns.map(({ name, kind, values }) => ({
    name,
    values: kind === 'time' ? toTimestamps(values) : values,
  }));
  return layBatch(arrow, stored, description);
}

/** Columns of equal length, as they are stored, as the one batch of a file: times are int64. */
export function layBatch(
  arrow: typeof Arrow,
  columns: readonly { readonly name: string; readonly values: BigInt64Array | Float64Array }[],
  description: string,
): Arrow.RecordBatch {
  const length = columns[0]?.values.length ?? 0;
  const timeType = new arrow.TimestampMillisecond('UTC');
  const numberType = new arrow.Float64();
  const fields = columns.map(
    ({ name, values }) =>
      new arrow.Field(name, values instanceof BigInt64Array ? timeType : numberType, false),
  );
  const children = columns.map(({ values }) =>
    values instanceof BigInt64Array
      ? arrow.makeData({ type: timeType, length, nullCount: 0, data: values })
      : arrow.makeData({ type: numberType, length, nullCount: 0, data: values }),
  );
  const schema = new arrow.Schema(fields, new Map([['evenkeel', description]]));
  return new arrow.RecordBatch(
    schema,
    arrow.makeData({ type: new arrow.Struct(fields), length, nullCount: 0, children }),
  );
}

function bodyBytesOf(columns: readonly FileColumn[]): number {
  return columns.reduce((sum, { values }) => sum + values.byteLength, 0);
}

/** Float64 milliseconds to int64, by halves: a BigInt per row is ten times slower. */
export function toTimestamps(times: Float64Array): BigInt64Array<ArrayBuffer> {
  const timestamps = new BigInt64Array(times.length);
  const halves = new Int32Array(timestamps.buffer);
  for (let row = 0; row < times.length; row += 1) {
    const time = times[row] ?? 0;
    halves[2 * row] = time | 0;
    halves[2 * row + 1] = Math.floor(time / TWO_TO_32);
  }
  return timestamps;
}

/** Turns timestamps as stored (int64) into float64 milliseconds, in place. */
export function timestampsToNumbers(stored: Float64Array): void {
  const low = new Uint32Array(stored.buffer, stored.byteOffset, stored.length * 2);
  const high = new Int32Array(stored.buffer, stored.byteOffset, stored.length * 2);
  for (let row = 0; row < stored.length; row += 1) {
    stored[row] = (high[2 * row + 1] ?? 0) * TWO_TO_32 + (low[2 * row] ?? 0);
  }
}

function measure(
  chunks: readonly Uint8Array[],
  headBytes: number,
  expectedBytes: number,
): StoredFile {
  const measured = new FileMeasure(headBytes);
  let bodyBytes = 0;
  for (const chunk of chunks) {
    if (measured.bytes >= headBytes && bodyBytes < expectedBytes) bodyBytes += chunk.byteLength;
    measured.take(chunk);
  }
  // Readers compute where a column starts from the head's length: padding between columns would break that.
  if (bodyBytes !== expectedBytes) {
    throw new InvariantError(
      'E_ARROW_LAYOUT',
      `expected ${String(expectedBytes)} bytes of columns, received ${String(bodyBytes)} from the writer`,
    );
  }
  return measured.end();
}

/** Hashes a file piece by piece: the whole file, and separately the head before the first column. */
export class FileMeasure {
  readonly #headBytes: number;
  readonly #whole = createHash('sha256');
  readonly #head = createHash('sha256');
  bytes = 0;

  constructor(headBytes: number) {
    this.#headBytes = headBytes;
  }

  take(chunk: Uint8Array): void {
    this.#whole.update(chunk);
    if (this.bytes < this.#headBytes) this.#head.update(chunk);
    this.bytes += chunk.byteLength;
  }

  /** The file of all bytes taken so far. */
  end(): StoredFile {
    return {
      bytes: this.bytes,
      sha256: this.#whole.copy().digest('hex'),
      headBytes: this.#headBytes,
      headSha256: this.#head.copy().digest('hex'),
    };
  }
}
