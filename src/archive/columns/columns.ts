import type { CandleColumns } from '../../domain/index.js';

/** The columns in the order in which files, hashes and reports hold them. */
export const COLUMN_NAMES = ['openTime', 'open', 'high', 'low', 'close', 'volume'] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

/** Names of the columns in files, in the order of {@link COLUMN_NAMES}. */
export const FILE_COLUMN_NAMES = ['open_time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** A column of an Arrow file of the archive: times in UTC milliseconds, or numbers. */
export interface FileColumn {
  readonly name: string;
  readonly kind: 'time' | 'number';
  readonly values: Float64Array;
}

/** Candles as the columns of a file. */
export function candleFileColumns(columns: CandleColumns): readonly FileColumn[] {
  return COLUMN_NAMES.map((name, index) => ({
    name: FILE_COLUMN_NAMES[index] ?? name,
    kind: name === 'openTime' ? 'time' : 'number',
    values: columns[name],
  }));
}

/** Bytes one row takes: six numbers of 8 bytes. */
export const ROW_BYTES = COLUMN_NAMES.length * Float64Array.BYTES_PER_ELEMENT;

/** Makes columns of zeros that share one allocation. */
export function allocateColumns(rows: number): CandleColumns {
  const memory = new ArrayBuffer(rows * ROW_BYTES);
  return columnsOver(memory, rows);
}

/** Lays six columns of `rows` numbers over a buffer, one after the other, from its `start`-th byte. */
export function columnsOver(memory: ArrayBufferLike, rows: number, start = 0): CandleColumns {
  const column = (index: number): Float64Array =>
    new Float64Array(memory, start + index * rows * Float64Array.BYTES_PER_ELEMENT, rows);
  return {
    openTime: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  };
}

/** Makes candles from arrays in the order of {@link COLUMN_NAMES}. A missing volume is 0. */
export function candlesFromArrays(arrays: readonly Float64Array[]): CandleColumns {
  const rows = arrays[0]?.length ?? 0;
  const column = (name: ColumnName): Float64Array =>
    arrays[COLUMN_NAMES.indexOf(name)] ?? new Float64Array(rows);
  return {
    openTime: column('openTime'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

/** Views the rows from `start` to `end` (exclusive) without copying them. */
export function sliceColumns(columns: CandleColumns, start: number, end: number): CandleColumns {
  return {
    openTime: columns.openTime.subarray(start, end),
    open: columns.open.subarray(start, end),
    high: columns.high.subarray(start, end),
    low: columns.low.subarray(start, end),
    close: columns.close.subarray(start, end),
    volume: columns.volume.subarray(start, end),
  };
}

/** Copies the values into new memory. */
export function copyColumns(columns: CandleColumns): CandleColumns {
  const copy = allocateColumns(columns.openTime.length);
  for (const name of COLUMN_NAMES) copy[name].set(columns[name]);
  return copy;
}

/** Number of the first row whose open time is at or after `time`; the rows must be in rising order. */
export function lowerBound(openTime: Float64Array, time: number): number {
  let low = 0;
  let high = openTime.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((openTime[middle] ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How columns of one kind lie in memory and in files. */
export interface ColumnLayout<Columns> {
  readonly allocate: (rows: number) => Columns;
  /** The same memory, as the columns of a file: times first. */
  readonly fileColumns: (columns: Columns) => readonly FileColumn[];
  /** Views the rows from `start` to `end` (exclusive) without copying them. */
  readonly slice: (columns: Columns, start: number, end: number) => Columns;
}

export const CANDLE_LAYOUT: ColumnLayout<CandleColumns> = {
  allocate: allocateColumns,
  fileColumns: candleFileColumns,
  slice: sliceColumns,
};
