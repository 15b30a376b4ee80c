import {
  closeTimeOf,
  fixedFromNumber,
  nominalIntervalMs,
  present,
  type CandleRows,
  type EpochMs,
  type Fixed,
  type Interval,
} from '../domain/index.js';
import type { CandleShape } from './candle-path.js';

/** A stored series. */
export interface StoredSeries {
  readonly interval: Interval;
  readonly rows: CandleRows;
  /** Whether rows are prices as they were polled: candles of no length, with nothing known between them. @defaultValue false */
  readonly isPolled?: boolean | undefined;
}

/** Looks up candles of a stored series by time. Times are asked for in rising order, or shortly before the last, for the most part: that is fast. */
export class CandleLookup {
  readonly interval: Interval;
  readonly rows: CandleRows;
  readonly isPolled: boolean;
  readonly #pricePrecision: number;
  /** How far apart its candles open where none is missing. */
  readonly #stepMs: number;
  #row = -1;
  /** The price that was asked for last, and what it is exactly: an order asks for one mark several times. */
  #lastNumber = Number.NaN;
  #lastExact: Fixed = 0n;

  constructor({ interval, rows, isPolled = false }: StoredSeries, pricePrecision: number) {
    this.interval = interval;
    this.rows = rows;
    this.isPolled = isPolled;
    this.#pricePrecision = pricePrecision;
    this.#stepMs = nominalIntervalMs(interval);
  }

  /** Row of the last candle that opens at or before `time`; -1 before the first. */
  rowAt(time: EpochMs): number {
    const { rows } = this;
    const row = this.#row;
    if (row >= 0 && rows.openTime(row) > time)
      // Mostly the candle before: an instant is looked at as the end of one and as the open of the next.
      this.#row = row > 0 && rows.openTime(row - 1) <= time ? row - 1 : rows.rowAt(time);
    else if (rows.openTime(row + 1) <= time)
      this.#row = rows.rowAtFrom(row + 1, time, this.#stepMs);
    return this.#row;
  }

  /** Row of the candle that is open at `time`: it opens at or before it, and closes after it. */
  rowOpenAt(time: EpochMs): number | undefined {
    const row = this.rowAt(time);
    return row >= 0 && this.closeTime(row) > time ? row : undefined;
  }

  /** Number of candles that have closed by `time`. */
  closedBy(time: EpochMs): number {
    const row = this.rows.rowAt(time);
    return row >= 0 && this.closeTime(row) > time ? row : row + 1;
  }

  openTime(row: number): EpochMs {
    const { first, columns } = this.rows.blockAt(row);
    return present(columns.openTime[row - first], 'a stored candle');
  }

  closeTime(row: number): EpochMs {
    return this.isPolled ? this.openTime(row) : closeTimeOf(this.openTime(row), this.interval);
  }

  open(row: number): Fixed {
    return this.#exact(this.rows.open(row));
  }

  close(row: number): Fixed {
    return this.#exact(this.rows.close(row));
  }

  shape(row: number): CandleShape {
    return {
      openTime: this.openTime(row),
      closeTime: this.closeTime(row),
      open: this.open(row),
      high: this.#exact(this.rows.high(row)),
      low: this.#exact(this.rows.low(row)),
      close: this.close(row),
    };
  }

  #exact(price: number | undefined): Fixed {
    if (price !== this.#lastNumber) {
      this.#lastExact = fixedFromNumber(present(price, 'a stored candle'), this.#pricePrecision);
      this.#lastNumber = price ?? Number.NaN;
    }
    return this.#lastExact;
  }
}
