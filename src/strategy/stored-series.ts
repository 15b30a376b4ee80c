import type { Candle, CandleColumns } from '../domain/index.js';
import type { ForesightStore } from './foresight-store.js';
import { readSource, type PriceSource } from './indicator.js';

/** Stored candles: rows from `first` to `end` (exclusive) of the columns. */
export interface StoredRows {
  readonly columns: CandleColumns;
  readonly first: number;
  readonly end: number;
}

/** All the candles that an indicator will probably be given, from its first to its last, of a series that stays as it is. */
export interface StoredSeries extends StoredRows {
  /** Makes the candle of a row, also of one before `first`. */
  readonly candleAt: (row: number) => Candle;
  /** Where values that are computed from the series are kept, for others that would compute the same. */
  readonly store: ForesightStore;
}

/** Reads from stored candles what {@link readSource} would read from each of them. */
export function readSources(
  { columns, first, end }: StoredRows,
  source: PriceSource,
): Float64Array {
  const { open, high, low, close, volume } = columns;
  switch (source) {
    case 'open':
    case 'high':
    case 'low':
    case 'close':
    case 'volume':
      return columns[source].subarray(first, end);
    case 'hl2':
    case 'hlc3':
    case 'ohlc4':
      return Float64Array.from({ length: end - first }, (_, index) => {
        const at = (column: Float64Array): number => column[first + index] as number;
        const row = { open: at(open), high: at(high), low: at(low), close: at(close) };
        return readSource({ ...row, volume: at(volume) }, source);
      });
  }
}
