import type { EpochMs } from '../../domain/index.js';
import type { CandleLookup } from './candle-lookup.js';

/** Scans one stored series row by row, to find how far its candles stay within a range. */
export class RowScan {
  readonly candles: CandleLookup;
  /** First row that was not checked; -1 before the first scan. */
  #row = -1;

  constructor(candles: CandleLookup) {
    this.candles = candles;
  }

  /** Forgets which rows were checked. */
  restart(): void {
    this.#row = -1;
  }

  /** Every row that opens before this time has been checked. */
  get seenUntil(): EpochMs {
    return this.#row < 0 ? Number.NEGATIVE_INFINITY : this.candles.rows.openTime(this.#row);
  }

  /** Skips the next row, because the caller has checked it. */
  passRow(): void {
    this.#row += 1;
  }

  /** First row that was not checked and is not over at `cursor`, the time up to which the market has moved. */
  firstRow(cursor: EpochMs): number {
    const { rows } = this.candles;
    if (this.#row < 0 || rows.openTime(this.#row + 1) <= cursor)
      this.#row = Math.max(0, this.candles.rowAt(cursor));
    return this.#row;
  }

  /** Whether every candle from `cursor` on that opens before `time` lies between `low` and `high`, touching neither. Stops at the first that does not. */
  staysBetween(low: number, high: number, cursor: EpochMs, time: EpochMs): boolean {
    const { rows } = this.candles;
    this.firstRow(cursor);
    while (rows.openTime(this.#row) < time) if (!this.#staysInBlock(low, high, time)) return false;
    return true;
  }

  /** Checks the rows before `time` in the block of rows in memory that holds the next one. */
  #staysInBlock(low: number, high: number, time: EpochMs): boolean {
    const { first, columns } = this.candles.rows.blockAt(this.#row);
    const { openTime, low: lows, high: highs } = columns;
    let index = this.#row - first;
    let stays = true;
    while (stays && index < openTime.length && (openTime[index] as number) < time) {
      stays = (lows[index] as number) > low && (highs[index] as number) < high;
      if (stays) index += 1;
    }
    this.#row = first + index;
    return stays;
  }
}
