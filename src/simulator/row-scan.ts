import type { EpochMs } from '../domain/index.js';
import type { CandleLookup } from './candle-lookup.js';

/** Goes through one stored series row by row to see how far its candles stay within a range. */
export class RowScan {
  readonly candles: CandleLookup;
  /** First row that was not looked at; -1 before the first. */
  #row = -1;

  constructor(candles: CandleLookup) {
    this.candles = candles;
  }

  /** As if nothing had been looked at. */
  restart(): void {
    this.#row = -1;
  }

  /** Every row that opens before has been looked at. */
  get seenUntil(): EpochMs {
    return this.#row < 0 ? Number.NEGATIVE_INFINITY : this.candles.rows.openTime(this.#row);
  }

  /** The next row has been looked at by somebody else. */
  passRow(): void {
    this.#row += 1;
  }

  /** First row that was not looked at, and is not over at `cursor`, where the market stands. */
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

  /** Looks at the rows before `time` that are in memory with the next one. */
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
