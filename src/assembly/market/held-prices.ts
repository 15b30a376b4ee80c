import {
  closeTimeOf,
  fixedFromNumber,
  missing,
  nominalIntervalMs,
  type CandleColumns,
  type CandleRows,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { HeldPrices, PriceRange } from '../../report/index.js';
import { drivingSeries, type LoadedSeries } from './load-market.js';

/** Stored candles as the list of trades asks for them; to be asked before the market is closed. `dataDelayMs`: as `simulation` has it. */
export function createHeldPrices(
  series: readonly Pick<LoadedSeries, 'instrumentId' | 'interval' | 'rows'>[],
  { dataDelayMs }: { readonly dataDelayMs: number },
): HeldPrices {
  const driving = drivingSeries(series);
  const byId = new Map(
    [...driving].map(([id, { rows, interval }]) => [id, new HeldRows(rows, interval)]),
  );
  const rowsOf = (id: InstrumentId): HeldRows => byId.get(id) ?? missing(`candles of ${id}`);
  return {
    closeBy: (id, time) => rowsOf(id).closeBy(time - dataDelayMs),
    openFrom: (id, time) => rowsOf(id).openFrom(time),
    between: (id, from, to) => rowsOf(id).between(from, to),
  };
}

class HeldRows {
  readonly #rows: CandleRows;
  readonly #interval: Interval;
  readonly #stepMs: number;
  /** The row that was found last: what is asked for next is mostly near. */
  #near = 0;
  // Of the prices that are looked at.
  #low = Number.NaN;
  #high = Number.NaN;

  constructor(rows: CandleRows, interval: Interval) {
    this.#rows = rows;
    this.#interval = interval;
    this.#stepMs = nominalIntervalMs(interval);
  }

  /** The last row that opens at or before `time`; -1 before the first. */
  #rowAt(time: EpochMs): number {
    const row = this.#find(time);
    this.#near = Math.max(0, row);
    return row;
  }

  #find(time: EpochMs): number {
    const rows = this.#rows;
    const near = this.#near;
    if (rows.openTime(near) <= time)
      return Number.isFinite(time) ? rows.rowAtFrom(near, time, this.#stepMs) : rows.rowAt(time);
    // An order is sent before its fill, and a trade begins before its end: where no candle is missing, the row is as far back as its time.
    const back = near - Math.ceil((rows.openTime(near) - time) / this.#stepMs);
    const isFound = back >= 0 && rows.openTime(back) <= time && rows.openTime(back + 1) > time;
    return isFound ? back : rows.rowAt(time);
  }

  #rowBefore(time: EpochMs): number {
    const row = this.#rowAt(time);
    return row >= 0 && this.#rows.openTime(row) === time ? row - 1 : row;
  }

  closeBy(time: EpochMs): Fixed | undefined {
    const row = this.#rowAt(time);
    const closed = row >= 0 && this.#closeTime(row) > time ? row - 1 : row;
    const close = closed < 0 ? undefined : this.#rows.close(closed);
    return close === undefined ? undefined : fixedFromNumber(close);
  }

  openFrom(time: EpochMs): Fixed | undefined {
    const open = this.#rows.open(this.#rowBefore(time) + 1);
    return open === undefined ? undefined : fixedFromNumber(open);
  }

  between(from: EpochMs, to: EpochMs): PriceRange | undefined {
    const rows = this.#rows;
    this.#low = Number.POSITIVE_INFINITY;
    this.#high = Number.NEGATIVE_INFINITY;
    // Of a candle that begins before: its close.
    const before = this.#rowBefore(from);
    const whole = before + 1;
    if (before >= 0 && isWithin(this.#closeTime(before), from, to)) this.#see(rows.close(before));
    // Of a candle that ends after: its open.
    let end = this.#rowBefore(to) + 1;
    if (end > whole && this.#closeTime(end - 1) > to) {
      end -= 1;
      this.#see(rows.open(end));
    }
    this.#seeWhole(whole, end);
    if (this.#low > this.#high) return undefined;
    return { low: fixedFromNumber(this.#low), high: fixedFromNumber(this.#high) };
  }

  #see(price: number | undefined): void {
    if (price === undefined) return;
    if (price < this.#low) this.#low = price;
    if (price > this.#high) this.#high = price;
  }

  /** By blocks: a trade may be held over a million candles. */
  #seeWhole(first: number, end: number): void {
    for (let row = first; row < end;) {
      const { first: offset, end: blockEnd, columns } = this.#rows.blockAt(row);
      const last = Math.min(end, blockEnd) - offset;
      this.#seeRows(columns, row - offset, last);
      row = last + offset;
    }
  }

  /** Both columns at once; compared, not `Math.min`: what is no number, and two zeros, need no care here. */
  #seeRows({ low, high }: Pick<CandleColumns, 'low' | 'high'>, first: number, end: number): void {
    let lowest = this.#low;
    let highest = this.#high;
    for (let at = first; at < end; at += 1) {
      const least = low[at] as number;
      const most = high[at] as number;
      if (least < lowest) lowest = least;
      if (most > highest) highest = most;
    }
    this.#low = lowest;
    this.#high = highest;
  }

  #closeTime(row: number): EpochMs {
    return closeTimeOf(this.#rows.openTime(row), this.#interval);
  }
}

function isWithin(time: EpochMs, after: EpochMs, upTo: EpochMs): boolean {
  return time > after && time <= upTo;
}
