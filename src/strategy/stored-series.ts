import type { Candle, CandleColumns } from '../domain/index.js';
import type { PrecomputedStore } from './precomputed-store.js';

/** All the candles that an indicator will probably be given, from its first to its last, of a series that stays as it is. */
export interface IndicatorSeries {
  readonly columns: CandleColumns;
  /** Row of the first. */
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Makes the candle of a row, also of one before `first`. */
  readonly candleAt: (row: number) => Candle;
  /** Where values that are computed from the series are kept, for others that would compute the same. */
  readonly store: PrecomputedStore;
}
