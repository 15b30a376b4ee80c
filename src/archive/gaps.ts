import {
  closeTimeOf,
  fixedIntervalMs,
  nominalIntervalMs,
  type EpochMs,
  type Interval,
} from '../domain/index.js';
import type { SeriesInfo } from './series.js';

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

/** Range and holes of a series, as its metadata tell them. */
export function describeSpan(
  openTime: Float64Array,
  interval: Interval,
): Pick<SeriesInfo, 'from' | 'to' | 'gaps' | 'missing'> {
  const gaps = findGaps(openTime, interval);
  return {
    from: openTime[0] ?? Number.NaN,
    to: closeTimeOf(openTime.at(-1) ?? Number.NaN, interval),
    gaps: gaps.length,
    missing: gaps.reduce((sum, gap) => sum + gap.missing, 0),
  };
}

function countMissing(from: EpochMs, to: EpochMs, interval: Interval): number {
  return Math.max(1, Math.round((to - from) / nominalIntervalMs(interval)));
}
