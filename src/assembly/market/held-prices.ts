import {
  closeTimeOf,
  fixedFromNumber,
  missing,
  nominalIntervalMs,
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
    // An order is mostly sent in the candle before its fill.
    return near > 0 && rows.openTime(near - 1) <= time ? near - 1 : rows.rowAt(time);
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
    const range = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
    const see = (price: number | undefined): void => {
      if (price !== undefined) widen(range, price, price);
    };
    // Of a candle that begins before: its close.
    const before = this.#rowBefore(from);
    const whole = before + 1;
    if (before >= 0 && isWithin(this.#closeTime(before), from, to)) see(rows.close(before));
    // Of a candle that ends after: its open.
    let end = this.#rowBefore(to) + 1;
    if (end > whole && this.#closeTime(end - 1) > to) {
      end -= 1;
      see(rows.open(end));
    }
    this.#widenBy(range, whole, end);
    if (range.low > range.high) return undefined;
    return { low: fixedFromNumber(range.low), high: fixedFromNumber(range.high) };
  }

  /** By blocks: a trade may be held over a million candles. */
  #widenBy(range: NumberRange, first: number, end: number): void {
    let { low, high } = range;
    for (let row = first; row < end;) {
      const { first: offset, end: blockEnd, columns } = this.#rows.blockAt(row);
      const { low: lows, high: highs } = columns;
      const last = Math.min(end, blockEnd) - offset;
      for (let at = row - offset; at < last; at += 1) {
        low = Math.min(low, lows[at] as number);
        high = Math.max(high, highs[at] as number);
      }
      row = last + offset;
    }
    range.low = low;
    range.high = high;
  }

  #closeTime(row: number): EpochMs {
    return closeTimeOf(this.#rows.openTime(row), this.#interval);
  }
}

interface NumberRange {
  low: number;
  high: number;
}

function widen(range: NumberRange, low: number, high: number): void {
  if (low < range.low) range.low = low;
  if (high > range.high) range.high = high;
}

function isWithin(time: EpochMs, after: EpochMs, upTo: EpochMs): boolean {
  return time > after && time <= upTo;
}
