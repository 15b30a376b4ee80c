import {
  closeTimeOf,
  fixedFromNumber,
  HOUR_MS,
  nominalIntervalMs,
  present,
  type CandleColumns,
  type EpochMs,
  type Fixed,
  type FundingColumns,
  type Interval,
} from '../../domain/index.js';
import { CandlePath, nearestOrder, publishedPrice } from '../candle-path.js';
import { lastRowAt } from './published-candles.js';

/** Stored mark prices of a contract. */
export interface MarkSource {
  readonly interval: Interval;
  readonly columns: CandleColumns;
  readonly pricePrecision: number;
}

/** Stored funding of a contract. */
export interface FundingView {
  readonly columns: FundingColumns;
  /** Whether the rate of a period is known while it runs; else the one settled last is shown. */
  readonly knownAhead: boolean;
}

/**
 * The mark at a time, on the tick: on the path of the open mark candle, else its close; undefined before the first. Candles longer than an hour say
 * too little about the instants within them: they have no mark here, and the last price serves (DESIGN R12).
 *
 * @param lastPath of the candle of the last price: a mark candle of the same time visits its extremes in the same order.
 */
export function markAt(
  { interval, columns, pricePrecision }: MarkSource,
  time: EpochMs,
  at: { readonly tick: Fixed; readonly lastPath: CandlePath },
): Fixed | undefined {
  if (nominalIntervalMs(interval) > HOUR_MS) return undefined;
  const row = lastRowAt(columns.openTime, time);
  if (row < 0) return undefined;
  const exact = (column: Float64Array): Fixed =>
    fixedFromNumber(present(column[row], 'a mark price'), pricePrecision);
  const openTime = present(columns.openTime[row], 'a mark price');
  const shape = {
    openTime,
    closeTime: closeTimeOf(openTime, interval),
    open: exact(columns.open),
    high: exact(columns.high),
    low: exact(columns.low),
    close: exact(columns.close),
  };
  const { lastPath } = at;
  const isTwin =
    lastPath.shape.openTime === openTime && lastPath.shape.closeTime === shape.closeTime;
  const path = new CandlePath(shape, isTwin ? lastPath.order : nearestOrder(shape));
  return publishedPrice(path.at(Math.min(time, shape.closeTime)), at.tick);
}

/** The rate shown for the period that runs at a time. */
export function fundingRateAt(
  { columns, knownAhead }: FundingView,
  time: EpochMs,
): Fixed | undefined {
  const settled = lastRowAt(columns.time, time);
  const rate = (knownAhead ? columns.rate[settled + 1] : undefined) ?? columns.rate[settled];
  return rate === undefined ? undefined : fixedFromNumber(rate);
}
