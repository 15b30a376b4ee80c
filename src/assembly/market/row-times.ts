import type { CandleColumn, EpochMs } from '../../domain/index.js';

/** When the rows of a series open, in rising order. Where no candle is missing, which is mostly everywhere, that is worked out and not read. */
export class RowTimes {
  readonly #times: CandleColumn;
  /** Rows are at least so far apart; undefined where that differs, as of months. */
  readonly #stepMs: number | undefined;
  #isKnown = false;
  // Rows each of which opens one step after the one before.
  #runFirst = 0;
  #runEnd = 0;
  #runTime: EpochMs = Number.NaN;
  /** The row that was searched last: what is asked for next is mostly near. */
  #near = 0;

  constructor(times: CandleColumn, stepMs: number | undefined) {
    this.#times = times;
    this.#stepMs = stepMs;
  }

  /** Infinity where there is no such row. */
  at(row: number): EpochMs {
    return row >= this.#runFirst && row < this.#runEnd
      ? this.#runTime + (row - this.#runFirst) * (this.#stepMs ?? Number.NaN)
      : (this.#times.at(row) ?? Number.POSITIVE_INFINITY);
  }

  /** The last row that opens at or before `time`; -1 before the first. */
  rowAt(time: EpochMs): number {
    const { length } = this.#times;
    if (!this.#isKnown) this.#noteRun(0, length);
    const row = this.#runFirst + Math.floor((time - this.#runTime) / (this.#stepMs ?? Number.NaN));
    if (row >= this.#runFirst && row < this.#runEnd) return row;
    const found = this.#search(time);
    if (found < 0) return found;
    this.#near = found;
    this.#times.around(found);
    this.#noteRun(found, this.#times.end);
    return found;
  }

  /** Notes the run that begins with a row, as far as it goes before `end`. No two rows are closer than a step, so that a last one in its place says it of all. */
  #noteRun(first: number, end: number): void {
    const stepMs = this.#stepMs;
    this.#isKnown = true;
    if (stepMs === undefined || end <= first) return;
    const start = this.#times.at(first) ?? Number.NaN;
    const isRegular = (row: number): boolean =>
      this.#times.at(row) === start + (row - first) * stepMs;
    let last = first;
    // The whole series is in one run, or in many.
    for (let step = end - 1 - first; step > 0; step >>>= 1)
      while (last + step < end && isRegular(last + step)) last += step;
    this.#runFirst = first;
    this.#runEnd = last + 1;
    this.#runTime = start;
  }

  /** In the more steps the farther it is from the row that was searched last, not the more rows there are. */
  #search(time: EpochMs): number {
    const near = this.#near;
    const { length } = this.#times;
    let low = -1;
    let high = length;
    if (this.at(near) <= time) {
      low = near;
      for (let step = 1; low + step < high; step *= 2) {
        if (this.at(low + step) <= time) low += step;
        else high = low + step;
      }
    } else {
      high = Math.min(near, length);
      for (let step = 1; high - step > low; step *= 2) {
        if (this.at(high - step) > time) high -= step;
        else low = high - step;
      }
    }
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) <= time) low = middle;
      else high = middle;
    }
    return low;
  }
}
