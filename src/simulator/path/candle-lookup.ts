import {
  closeTimeOf,
  fixedFromNumber,
  nominalIntervalMs,
  present,
  type CandleRows,
  type EpochMs,
  type Fixed,
  type Interval,
} from '../../domain/index.js';
import type { PathCandle } from './candle-path.js';

/** A stored series. */
export interface StoredSeries {
  readonly interval: Interval;
  readonly rows: CandleRows;
  /** Whether rows are polled prices: candles of zero length, with nothing known between them. @defaultValue false */
  readonly isPolled?: boolean | undefined;
}

/** Looks up candles of a stored series by time. Fast if each time is later than the last one, or shortly before it. */
export class CandleLookup {
  readonly interval: Interval;
  readonly rows: CandleRows;
  readonly isPolled: boolean;
  readonly #pricePrecision: number;
  /** Time between the opens of two neighbors, in ms. */
  readonly #stepMs: number;
  #row = -1;
  /** The last price that was converted, and its exact value. Kept because one order reads the same mark several times. */
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
      // Usually the candle before: an instant is looked up as the end of one candle and as the open of the next.
      this.#row = row > 0 && rows.openTime(row - 1) <= time ? row - 1 : rows.rowAt(time);
    else if (rows.openTime(row + 1) <= time)
      this.#row = rows.rowAtFrom(row + 1, time, this.#stepMs);
    return this.#row;
  }

  /** Row of the candle that opens at or before `time` and closes after it. Undefined if there is none. */
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

  shape(row: number): PathCandle {
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
