import type { CandleColumns } from '../../src/domain/index.js';

/** One candle as a test writes it. */
export interface CandleRow {
  readonly time: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly close?: number;
  readonly volume?: number;
}

/** Candles as columns. Defaults of a row: open 100, close 101, low 99, high 102, volume 5. */
export function columnsOf(rows: readonly CandleRow[]): CandleColumns {
  return {
    openTime: Float64Array.from(rows, (row) => row.time),
    open: Float64Array.from(rows, (row) => row.open ?? 100),
    high: Float64Array.from(rows, (row) => row.high ?? 102),
    low: Float64Array.from(rows, (row) => row.low ?? 99),
    close: Float64Array.from(rows, (row) => row.close ?? 101),
    volume: Float64Array.from(rows, (row) => row.volume ?? 5),
  };
}

/** `count` candles one `step` apart, each with different numbers. */
export function columnsFrom(start: number, count: number, step: number): CandleColumns {
  return columnsOf(
    Array.from({ length: count }, (_, index) => ({
      time: start + index * step,
      open: 100 + index,
      high: 102.5 + index,
      low: 99.25 + index,
      close: 101 + index,
      volume: index,
    })),
  );
}

/** The candles for which `isKept` is true. */
export function keepRows(
  { openTime, open, high, low, close, volume }: CandleColumns,
  isKept: (value: number, row: number) => boolean,
): CandleColumns {
  const kept = [...openTime].map((time, row) => isKept(time, row));
  const keep = (column: Float64Array): Float64Array => column.filter((_, row) => kept[row]);
  return {
    openTime: keep(openTime),
    open: keep(open),
    high: keep(high),
    low: keep(low),
    close: keep(close),
    volume: keep(volume),
  };
}

/** {@link CandleColumns} with plain arrays. */
export type PlainColumns = Readonly<Record<keyof CandleColumns, readonly number[]>>;

/** The columns as plain arrays, to be compared. */
export function rowsOf(columns: CandleColumns): PlainColumns {
  return {
    openTime: [...columns.openTime],
    open: [...columns.open],
    high: [...columns.high],
    low: [...columns.low],
    close: [...columns.close],
    volume: [...columns.volume],
  };
}
