import type { CandleColumns } from '../domain/index.js';
import { Indicator, readSource, type AnyIndicator, type PriceSource } from './indicator.js';

/** Stored candles: rows from `first` to `end` (exclusive) of the columns. */
export interface StoredRows {
  readonly columns: CandleColumns;
  readonly first: number;
  readonly end: number;
}

/**
 * An indicator that may compute ahead what it would give for candles that will probably come, and shows it once they have come. Not for
 * plugins: theirs could show what is yet to come.
 */
export abstract class ForeseeingIndicator extends Indicator {
  /** Nothing may depend on whether it is called: other candles may come. The columns must not be kept. */
  abstract foresee(rows: StoredRows): void;
}

/** Tells an indicator which candles it will probably be given next. Those that do not look ahead do not hear it. */
export function foresee(indicator: AnyIndicator, rows: StoredRows): void {
  if (indicator instanceof ForeseeingIndicator) indicator.foresee(rows);
}

/** Reads from stored candles what {@link readSource} would read from each of them. */
export function readSources(
  { columns, first, end }: StoredRows,
  source: PriceSource,
): Float64Array {
  const { open, high, low, close, volume } = columns;
  if (source === 'close') return close.subarray(first, end);
  return Float64Array.from({ length: end - first }, (_, index) => {
    const at = (column: Float64Array): number => column[first + index] as number;
    const row = { open: at(open), high: at(high), low: at(low), close: at(close) };
    return readSource({ ...row, volume: at(volume) }, source);
  });
}
