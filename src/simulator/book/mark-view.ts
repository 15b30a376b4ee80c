import {
  HOUR_MS,
  nominalIntervalMs,
  powerOfTen,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import { CandlePath, nearestOrder, publishedPrice } from '../candle-path.js';
import type { CandleLookup } from '../candle-lookup.js';

/** Marks are no prices to trade at, and not on the tick: a stored one is shown as it is, one on the way to the next with 8 decimals. */
const MARK_STEP: Fixed = powerOfTen(10);

/**
 * The mark at a time: on the path of the open mark candle, else its close; undefined before the first. Candles longer than an hour say
 * too little about the instants within them: they have no mark here, and the last price serves (DESIGN R12).
 *
 * A mark candle of the time of last's candle visits its extremes in the same order. One that is longer goes by its own numbers: when
 * last will be highest in it nobody can know yet. Where what opens at the instant has not opened, the mark is the close of the candle before.
 */
export function markAt(
  marks: CandleLookup,
  time: EpochMs,
  at: { readonly lastPath: CandlePath; readonly hasOpened: boolean },
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
  const price = path.at(Math.min(time, shape.closeTime));
  return price.denominator === 1n ? price.numerator : publishedPrice(price, MARK_STEP);
}
