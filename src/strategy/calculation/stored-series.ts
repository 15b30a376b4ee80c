import type { Candle, CandleColumns } from '../../domain/index.js';
import type { PrecomputedStore } from './precomputed-store.js';

/** All candles that an indicator will probably receive, from the first to the last, of a series that never changes. */
export interface IndicatorSeries {
  readonly columns: CandleColumns;
  /** Row of the first candle. */
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Makes the candle of a row, also of one before `first`. */
  readonly candleAt: (row: number) => Candle;
  /** Keeps values computed from the series, for indicators that would compute the same. */
  readonly store: PrecomputedStore;
}
