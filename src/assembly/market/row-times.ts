import {
  closeTimeOf,
  fixedIntervalMs,
  type CandleColumn,
  type EpochMs,
  type Interval,
} from '../../domain/index.js';

/** Times of a series' rows, in rising order. Without missing candles, which is the usual case, they are computed, not read. */
export class RowTimes {
  readonly #times: CandleColumn;
  readonly #interval: Interval;
  /** Least distance of two rows; undefined if the length differs, as for months. */
  readonly #stepMs: number | undefined;
  #isKnown = false;
  // The known run: rows of which each opens one step after the row before.
  #runFirst = 0;
  #runEnd = 0;
  #runTime: EpochMs = Number.NaN;
  /** The row of the last search: the next search is mostly near. */
  #near = 0;

  constructor(times: CandleColumn, interval: Interval) {
    this.#times = times;
    this.#interval = interval;
    this.#stepMs = fixedIntervalMs(interval);
  }

  /** When a row opens. Infinity if there is no such row. */
  at(row: number): EpochMs {
    return row >= this.#runFirst && row < this.#runEnd
      ? this.#runTime + (row - this.#runFirst) * (this.#stepMs ?? Number.NaN)
      : (this.#times.at(row) ?? Number.POSITIVE_INFINITY);
  }

  /** When a row closes. */
  closeOf(row: number): EpochMs {
    const stepMs = this.#stepMs;
    if (stepMs === undefined) return closeTimeOf(this.at(row), this.#interval);
    return row >= this.#runFirst && row < this.#runEnd
      ? this.#runTime + (row + 1 - this.#runFirst) * stepMs
      : this.at(row) + stepMs;
  }

  /** The last row that closes at or before `time`; -1 before the first. */
  closedBy(time: EpochMs): number {
    const stepMs = this.#stepMs;
    if (stepMs !== undefined) return this.rowAt(time - stepMs);
    const row = this.rowAt(time);
    return row >= 0 && this.closeOf(row) > time ? row - 1 : row;
  }

  /** The last row that opens before `time`; -1 if there is none. */
  rowBefore(time: EpochMs): number {
    // Candles open at whole milliseconds.
    return this.rowAt(Math.ceil(time) - 1);
  }

  /** The last row that opens at or before `time`; -1 before the first. */
  rowAt(time: EpochMs): number {
    const first = this.#runFirst;
    const row = first + Math.floor((time - this.#runTime) / (this.#stepMs ?? Number.NaN));
    return row >= first && row < this.#runEnd ? row : this.#find(time);
  }

  #find(time: EpochMs): number {
    if (!this.#isKnown) {
      this.#noteRun(0, this.#times.length);
      return this.rowAt(time);
    }
    const found = this.#search(time);
    if (found < 0) return found;
    this.#near = found;
    this.#times.around(found);
    this.#noteRun(found, this.#times.end);
    return found;
  }

  /**
   * Notes the run of regular rows from `first` on, up to `end` at most. Two rows are never closer than a step. So if the last row is in its place, all
   * rows before it are.
   */
  #noteRun(first: number, end: number): void {
    const stepMs = this.#stepMs;
    this.#isKnown = true;
    if (stepMs === undefined || end <= first) return;
    const start = this.#times.at(first) ?? Number.NaN;
    const isRegular = (row: number): boolean =>
      this.#times.at(row) === start + (row - first) * stepMs;
    let last = first;
    // Mostly the series is one run. Otherwise it has many.
    for (let step = end - 1 - first; step > 0; step >>>= 1)
      while (last + step < end && isRegular(last + step)) last += step;
    this.#runFirst = first;
    this.#runEnd = last + 1;
    this.#runTime = start;
  }

  /** Takes more steps the farther the row is from the last search, not the more rows there are. */
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
