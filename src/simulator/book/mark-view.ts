import {
  fixedFromNumber,
  HOUR_MS,
  nominalIntervalMs,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import { CandlePath, nearestOrder, publishedPrice } from '../candle-path.js';
import type { FundingSource } from '../funding-schedule.js';
import type { StoredCandles } from '../stored-candles.js';
import { lastRowAt } from './published-candles.js';

/**
 * The mark at a time, on the tick: on the path of the open mark candle, else its close; undefined before the first. Candles longer than an hour say
 * too little about the instants within them: they have no mark here, and the last price serves (DESIGN R12).
 *
 * A mark candle of the time of last's candle visits its extremes in the same order. One that is longer goes by its own numbers: when
 * last will be highest in it nobody can know yet. Where what opens at the instant has not opened, the mark is the close of the candle before.
 */
export function markAt(
  marks: StoredCandles,
  time: EpochMs,
  at: { readonly tick: Fixed; readonly lastPath: CandlePath; readonly hasOpened: boolean },
): Fixed | undefined {
  if (nominalIntervalMs(marks.interval) > HOUR_MS) return undefined;
  const latest = marks.rowAt(time);
  const row = !at.hasOpened && latest >= 0 && marks.openTime(latest) === time ? latest - 1 : latest;
  if (row < 0) return undefined;
  const shape = marks.shape(row);
  const { lastPath } = at;
  const isTwin =
    lastPath.shape.openTime === shape.openTime && lastPath.shape.closeTime === shape.closeTime;
  const path = new CandlePath(shape, isTwin ? lastPath.order : nearestOrder(shape));
  return publishedPrice(path.at(Math.min(time, shape.closeTime)), at.tick);
}

/**
 * The rate shown at a time: the one settled last, or with `knownAhead` that of the period that runs. Undefined where no stored rate and no
 * constant one says any.
 */
export function fundingRateAt(
  { stored, constant }: FundingSource,
  time: EpochMs,
  knownAhead: boolean,
): Fixed | undefined {
  const settled = stored === undefined ? -1 : lastRowAt(stored.time, time);
  const shown = stored?.rate[knownAhead && settled >= 0 ? settled + 1 : settled];
  const settledTime = stored?.time[settled];
  const hasEnded = settledTime !== undefined && stored?.time[settled + 1] === undefined;
  // After the last stored boundary the constant rate is settled, one interval later at the latest.
  const isConstant =
    hasEnded && constant !== undefined && (knownAhead || time >= settledTime + constant.intervalMs);
  if (shown !== undefined && !isConstant) return fixedFromNumber(shown);
  if (constant !== undefined) return constant.rate;
  const last = stored?.rate[settled];
  return last === undefined ? undefined : fixedFromNumber(last);
}
