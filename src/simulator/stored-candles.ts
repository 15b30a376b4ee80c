import {
  closeTimeOf,
  fixedFromNumber,
  present,
  type CandleColumns,
  type EpochMs,
  type Fixed,
  type Interval,
} from '../domain/index.js';
import type { CandleShape } from './candle-path.js';

/** A stored series and how its prices are written. */
export interface StoredSeries {
  readonly interval: Interval;
  readonly columns: CandleColumns;
}

/** Looks up candles of a stored series by time. Times are asked for in rising order for the most part, which makes it fast. */
export class StoredCandles {
  readonly interval: Interval;
  readonly columns: CandleColumns;
  readonly #pricePrecision: number;
  #row = -1;

  constructor({ interval, columns }: StoredSeries, pricePrecision: number) {
    this.interval = interval;
    this.columns = columns;
    this.#pricePrecision = pricePrecision;
  }

  /** Row of the last candle that opens at or before `time`; -1 before the first. */
  rowAt(time: EpochMs): number {
    const times = this.columns.openTime;
    if (this.#row >= 0 && (times[this.#row] ?? 0) > time) this.#row = lastAtOrBefore(times, time);
    while ((times[this.#row + 1] ?? Number.POSITIVE_INFINITY) <= time) this.#row += 1;
    return this.#row;
  }

  /** Row of the candle that is open at `time`: it opens at or before it, and closes after it. */
  rowOpenAt(time: EpochMs): number | undefined {
    const row = this.rowAt(time);
    return row >= 0 && this.closeTime(row) > time ? row : undefined;
  }

  openTime(row: number): EpochMs {
    return present(this.columns.openTime[row], 'a stored candle');
  }

  closeTime(row: number): EpochMs {
    return closeTimeOf(this.openTime(row), this.interval);
  }

  open(row: number): Fixed {
    return this.#exact(this.columns.open, row);
  }

  close(row: number): Fixed {
    return this.#exact(this.columns.close, row);
  }

  shape(row: number): CandleShape {
    const { high, low } = this.columns;
    return {
      openTime: this.openTime(row),
      closeTime: this.closeTime(row),
      open: this.open(row),
      high: this.#exact(high, row),
      low: this.#exact(low, row),
      close: this.close(row),
    };
  }

  #exact(column: Float64Array, row: number): Fixed {
    return fixedFromNumber(present(column[row], 'a stored candle'), this.#pricePrecision);
  }
}

function lastAtOrBefore(times: Float64Array, time: EpochMs): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
