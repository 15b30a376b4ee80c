import {
  closeTimeOf,
  fixedIntervalMs,
  fixedFromNumber,
  missing,
  type CandleColumn,
  type CandleRows,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import type { HeldPrices, PriceRange } from '../../report/index.js';
import { drivingSeries, type LoadedSeries } from './load-market.js';
import { RowTimes } from './row-times.js';

const MOST_DECIMALS = 8;

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

/** Of each question no more columns are read than it needs. */
class HeldRows {
  readonly #interval: Interval;
  readonly #times: RowTimes;
  readonly #opens: CandleColumn;
  readonly #highs: CandleColumn;
  readonly #lows: CandleColumn;
  readonly #closes: CandleColumn;
  /** With which all prices that were asked for are whole numbers, if any are: as in the run, whose compiled code knows small numbers. */
  #decimals = 0;
  // Of the prices that are looked at.
  #low = Number.NaN;
  #high = Number.NaN;

  constructor(rows: CandleRows, interval: Interval) {
    this.#interval = interval;
    this.#times = new RowTimes(rows.column('openTime'), fixedIntervalMs(interval));
    this.#opens = rows.column('open');
    this.#highs = rows.column('high');
    this.#lows = rows.column('low');
    this.#closes = rows.column('close');
  }

  closeBy(time: EpochMs): Fixed | undefined {
    const row = this.#times.rowAt(time);
    const close = this.#closes.at(row >= 0 && this.#closeTime(row) > time ? row - 1 : row);
    return close === undefined ? undefined : this.#priceOf(close);
  }

  openFrom(time: EpochMs): Fixed | undefined {
    const open = this.#opens.at(this.#rowBefore(time) + 1);
    return open === undefined ? undefined : this.#priceOf(open);
  }

  between(from: EpochMs, to: EpochMs): PriceRange | undefined {
    this.#low = Number.POSITIVE_INFINITY;
    this.#high = Number.NEGATIVE_INFINITY;
    // Of a candle that begins before: its close.
    const before = this.#rowBefore(from);
    const whole = before + 1;
    if (before >= 0) {
      const closeTime = this.#closeTime(before);
      if (closeTime > from && closeTime <= to) this.#see(this.#closes.at(before));
    }
    // Of a candle that ends after: its open.
    let end = this.#rowBefore(to) + 1;
    if (end > whole && this.#closeTime(end - 1) > to) {
      end -= 1;
      this.#see(this.#opens.at(end));
    }
    this.#seeWhole(whole, end);
    if (this.#low > this.#high) return undefined;
    return { low: this.#priceOf(this.#low), high: this.#priceOf(this.#high) };
  }

  #priceOf(price: number): Fixed {
    while (this.#decimals < MOST_DECIMALS && !isOnGrid(price, this.#decimals)) this.#decimals += 1;
    return fixedFromNumber(price, this.#decimals);
  }

  #rowBefore(time: EpochMs): number {
    const row = this.#times.rowAt(time);
    return row >= 0 && this.#times.at(row) === time ? row - 1 : row;
  }

  #closeTime(row: number): EpochMs {
    return closeTimeOf(this.#times.at(row), this.#interval);
  }

  #see(price: number | undefined): void {
    if (price === undefined) return;
    if (price < this.#low) this.#low = price;
    if (price > this.#high) this.#high = price;
  }

  /** By blocks: a trade may be held over a million candles. */
  #seeWhole(first: number, end: number): void {
    const [lows, highs] = [this.#lows, this.#highs];
    for (let row = first; row < end;) {
      const low = lows.around(row);
      const high = highs.around(row);
      const last = Math.min(end, lows.end);
      const [from, to] = [row - lows.first, last - lows.first];
      this.#low = least(low.subarray(from, to), 1, this.#low);
      this.#high = -least(high.subarray(from, to), -1, -this.#high);
      row = last;
    }
  }
}

function isOnGrid(price: number, decimals: number): boolean {
  const scale = 10 ** decimals;
  return Math.round(price * scale) / scale === price;
}

/**
 * The least value, or `start`; with a sign of -1 that of the values turned round, which is their greatest: one loop for both, so short that V8 compiles it early, and once.
 * Compared, not `Math.min`: what is no number, and two zeros, need no care here.
 */
function least(values: Float64Array, sign: 1 | -1, start: number): number {
  let found = start;
  for (let row = 0; row < values.length; row += 1) {
    const value = sign * (values[row] as number);
    if (value < found) found = value;
  }
  return found;
}
