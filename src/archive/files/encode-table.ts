import type * as Arrow from 'apache-arrow';
import { DataError, FIXED_DECIMALS, parseFixed } from '../../domain/index.js';
import { toTimestamps, writeBatch } from './arrow-encode.js';

/** A column of a table that is no series. A row without a value has null. */
export type TableColumn = { readonly name: string } & (
  | { readonly kind: 'time' | 'number'; readonly values: readonly (number | null)[] }
  /** Exact amounts as decimal text. */
  | { readonly kind: 'amount' | 'text'; readonly values: readonly (string | null)[] }
);

const AMOUNT_DIGITS = 38;
const WORDS = 4;

/**
 * Encodes a table as an uncompressed Arrow IPC file: times as timestamp[ms, UTC], amounts as decimal128(38, 18), which is exact.
 *
 * @throws {DataError} `E_DATA_WRITE` for an amount of more than 20 digits before the point.
 */
export async function encodeTable(columns: readonly TableColumn[]): Promise<readonly Uint8Array[]> {
  const arrow = await import('apache-arrow');
  const length = columns[0]?.values.length ?? 0;
  const children = columns.map((column) => dataOf(arrow, column));
  const fields = columns.map(
    ({ name }, index) => new arrow.Field(name, (children[index] as Arrow.Data).type, true),
  );
  const type = new arrow.Struct(fields);
  const data = arrow.makeData({ type, length, nullCount: 0, children });
  const { chunks } = await writeBatch(arrow, new arrow.RecordBatch(new arrow.Schema(fields), data));
  return chunks;
}

function dataOf(arrow: typeof Arrow, column: TableColumn): Arrow.Data {
  const { kind, values } = column;
  const length = values.length;
  const nullCount = values.filter((value) => value === null).length;
  const common = { length, nullCount, nullBitmap: validityOf(values) };
  switch (kind) {
    case 'time': {
      const type = new arrow.TimestampMillisecond('UTC');
      const data = toTimestamps(Float64Array.from(values, (value) => value ?? 0));
      return arrow.makeData({ ...common, type, data });
    }
    case 'number': {
      const data = Float64Array.from(values, (value) => value ?? 0);
      return arrow.makeData({ ...common, type: new arrow.Float64(), data });
    }
    case 'amount': {
      const type = new arrow.Decimal(FIXED_DECIMALS, AMOUNT_DIGITS, 32 * WORDS);
      return arrow.makeData({ ...common, type, data: wordsOf(values) });
    }
    case 'text':
      return textData(arrow, values, common);
  }
}

function validityOf(values: readonly unknown[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (const [row, value] of values.entries())
    if (value !== null) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  return bits;
}

/** Two's complement of 128 bits, the lowest word first. */
function wordsOf(amounts: readonly (string | null)[]): Uint32Array {
  const words = new Uint32Array(amounts.length * WORDS);
  const limit = 10n ** BigInt(AMOUNT_DIGITS);
  for (const [row, amount] of amounts.entries()) {
    const value = parseFixed(amount ?? '0');
    if (value >= limit || value <= -limit)
      throw new DataError(
        'E_DATA_WRITE',
        `the amount ${String(amount)} does not fit into an Arrow file`,
      );
    for (let word = 0; word < WORDS; word += 1)
      words[row * WORDS + word] = Number(BigInt.asUintN(32, value >> BigInt(32 * word)));
  }
  return words;
}

function textData(
  arrow: typeof Arrow,
  values: readonly (string | null)[],
  common: { readonly length: number; readonly nullCount: number; readonly nullBitmap: Uint8Array },
): Arrow.Data {
  const encoder = new TextEncoder();
  const pieces = values.map((value) => encoder.encode(value ?? ''));
  const valueOffsets = new Int32Array(values.length + 1);
  for (const [row, piece] of pieces.entries())
    valueOffsets[row + 1] = (valueOffsets[row] ?? 0) + piece.byteLength;
  const data = new Uint8Array(valueOffsets[values.length] ?? 0);
  for (const [row, piece] of pieces.entries()) data.set(piece, valueOffsets[row] ?? 0);
  return arrow.makeData({ ...common, type: new arrow.Utf8(), valueOffsets, data });
}
