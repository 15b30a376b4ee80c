import {
  HOUR_MS,
  nominalIntervalMs,
  powerOfTen,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import type { CandleLookup } from '../path/candle-lookup.js';
import { CandlePath, nearestOrder, publishedPrice } from '../path/candle-path.js';

/** Nobody trades at a mark, so it need not lie on the tick. A stored mark is shown unchanged. A mark between two of them is rounded to 8 decimals. */
const MARK_STEP: Fixed = powerOfTen(10);

/**
 * The mark at a time: the price on the path of the open mark candle, or the close of the last one if none is open. Undefined before the first.
 * Candles longer than an hour say too little about the instants within them. They give no mark here, and the last price is used instead (DESIGN R12).
 *
 * If the mark candle has the same times as the candle of the last price, both visit their extremes in the same order. A longer mark candle uses
 * {@link nearestOrder}: the time at which the last price will be highest in it is not known yet. If `hasOpened` is false, a mark candle that opens at
 * `time` is ignored, and the mark is the close of the candle before.
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
