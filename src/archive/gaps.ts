import {
  closeTimeOf,
  fixedIntervalMs,
  nominalIntervalMs,
  type EpochMs,
  type Interval,
} from '../domain/index.js';

/** A stretch of time without candles between two candles. */
export interface Gap {
  /** Number, from 1, of the row before the gap. */
  readonly afterRow: number;
  /** Close time of the candle before the gap. */
  readonly from: EpochMs;
  /** Open time of the candle after the gap. */
  readonly to: EpochMs;
  /** Candles absent. */
  readonly missing: number;
}

/** Lists the gaps of candles that are in rising order of time; rows that are not are passed over. */
export function findGaps(openTime: Float64Array, interval: Interval): readonly Gap[] {
  const gaps: Gap[] = [];
  const fixed = fixedIntervalMs(interval);
  for (let row = 1; row < openTime.length; row += 1) {
    const previous = openTime[row - 1] ?? Number.NaN;
    const time = openTime[row] ?? Number.NaN;
    const from = fixed === undefined ? closeTimeOf(previous, interval) : previous + fixed;
    if (time > from) {
      gaps.push({ afterRow: row, from, to: time, missing: countMissing(from, time, interval) });
    }
  }
  return gaps;
}

function countMissing(from: EpochMs, to: EpochMs, interval: Interval): number {
  return Math.max(1, Math.round((to - from) / nominalIntervalMs(interval)));
}
