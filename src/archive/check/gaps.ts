import {
  closeTimeOf,
  fixedIntervalMs,
  nominalIntervalMs,
  type EpochMs,
  type Interval,
} from '../../domain/index.js';
import type { SeriesInfo } from '../stored/series.js';

/** A stretch of time without candles between two candles. */
export interface CandleGap {
  /** Number, from 1, of the row before the gap. */
  readonly afterRow: number;
  /** Close time of the candle before the gap. */
  readonly from: EpochMs;
  /** Open time of the candle after the gap. */
  readonly to: EpochMs;
  /** Candles absent. */
  readonly missing: number;
}

/** Lists the gaps of candles that are in rising order of time. A row that is not later than the one before makes no gap. */
export function findGaps(openTime: Float64Array, interval: Interval): readonly CandleGap[] {
  const gaps: CandleGap[] = [];
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

type Span = Pick<SeriesInfo, 'from' | 'to' | 'gaps' | 'missing'>;

/** Range and gaps of a series, as in its metadata. */
export function describeSpan(openTime: Float64Array, interval: Interval): Span {
  const measure = new SpanMeasure(interval);
  measure.take(openTime);
  return measure.end();
}

/** Measures range and gaps of candles that arrive piece by piece, in rising order of time. */
export class SpanMeasure {
  readonly #interval: Interval;
  #from = Number.NaN;
  #last = Number.NaN;
  #gaps = 0;
  #missing = 0;

  constructor(interval: Interval) {
    this.#interval = interval;
  }

  take(openTime: Float64Array): void {
    const [first, last] = [openTime[0], openTime.at(-1)];
    if (first === undefined || last === undefined) return;
    if (Number.isNaN(this.#from)) this.#from = first;
    else this.#count(Float64Array.of(this.#last, first));
    this.#count(openTime);
    this.#last = last;
  }

  end(): Span {
    return {
      from: this.#from,
      to: closeTimeOf(this.#last, this.#interval),
      gaps: this.#gaps,
      missing: this.#missing,
    };
  }

  #count(openTime: Float64Array): void {
    for (const { missing } of findGaps(openTime, this.#interval)) {
      this.#gaps += 1;
      this.#missing += missing;
    }
  }
}

function countMissing(from: EpochMs, to: EpochMs, interval: Interval): number {
  return Math.max(1, Math.round((to - from) / nominalIntervalMs(interval)));
}
