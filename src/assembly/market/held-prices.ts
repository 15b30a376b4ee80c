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

/** Prices from stored candles for the list of trades. They must be read before the market is closed. `dataDelayMs`: as in `simulation`. */
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

/**
 * Each question reads only the columns that it needs. The code that runs for each trade makes few calls: for a thousand trades V8 compiles nothing, and
 * each call takes a tenth of a microsecond.
 */
class HeldRows {
  readonly #interval: Interval;
  /** Undefined if the length differs, as for months. */
  readonly #stepMs: number | undefined;
  readonly #times: RowTimes;
  readonly #opens: CandleColumn;
  readonly #highs: CandleColumn;
  readonly #lows: CandleColumn;
  readonly #closes: CandleColumn;
  /** The number of decimals with which all prices so far are whole numbers, if there is one. The run uses it too, so its code is compiled for small numbers. */
  #decimals = 0;
  /** 10^decimals. */
  #scale = 1;

  constructor(rows: CandleRows, interval: Interval) {
    this.#interval = interval;
    this.#stepMs = fixedIntervalMs(interval);
    this.#times = new RowTimes(rows.column('openTime'), this.#stepMs);
    this.#opens = rows.column('open');
    this.#highs = rows.column('high');
    this.#lows = rows.column('low');
    this.#closes = rows.column('close');
  }

  closeBy(time: EpochMs): Fixed | undefined {
    const close = this.#closes.at(this.#closedRow(time));
    return close === undefined ? undefined : this.#priceOf(close);
  }

  /** The last row that closes at or before `time`; -1 before the first. */
  #closedRow(time: EpochMs): number {
    const stepMs = this.#stepMs;
    if (stepMs !== undefined) return this.#times.rowAt(time - stepMs);
    const row = this.#times.rowAt(time);
    return row >= 0 && this.#closeTime(row) > time ? row - 1 : row;
  }

  openFrom(time: EpochMs): Fixed | undefined {
    const open = this.#opens.at(this.#rowBefore(time) + 1);
    return open === undefined ? undefined : this.#priceOf(open);
  }

  between(from: EpochMs, to: EpochMs): PriceRange | undefined {
    const seen = new SeenPrices();
    // A candle that begins before the range counts with its close.
    const before = this.#rowBefore(from);
    if (before >= 0) {
      const closeTime = this.#closeTime(before);
      if (closeTime > from && closeTime <= to) seen.add(this.#closes.at(before));
    }
    // A candle that ends after the range counts with its open.
    const last = this.#rowBefore(to);
    const isCut = last > before && this.#closeTime(last) > to;
    if (isCut) seen.add(this.#opens.at(last));
    this.#seeWhole(seen, before + 1, isCut ? last : last + 1);
    if (seen.low > seen.high) return undefined;
    return { low: this.#priceOf(seen.low), high: this.#priceOf(seen.high) };
  }

  /** Reads block by block, because a trade may last a million candles. */
  #seeWhole(seen: SeenPrices, start: number, end: number): void {
    for (let row = start; row < end;) {
      const lows = this.#lows.around(row);
      const highs = this.#highs.around(row);
      const { first } = this.#lows;
      const next = Math.min(end, this.#lows.end);
      const span = { from: row - first, to: next - first };
      seen.low = lowest(lows, span, seen.low);
      seen.high = highest(highs, span, seen.high);
      row = next;
    }
  }

  #priceOf(price: number): Fixed {
    let scale = this.#scale;
    while (Math.round(price * scale) / scale !== price && this.#decimals < MOST_DECIMALS) {
      this.#decimals += 1;
      scale = this.#scale = 10 ** this.#decimals;
    }
    return fixedFromNumber(price, this.#decimals);
  }

  /** The last row that opens before `time`; -1 if there is none. */
  #rowBefore(time: EpochMs): number {
    // Candles open at whole milliseconds.
    return this.#times.rowAt(Math.ceil(time) - 1);
  }

  #closeTime(row: number): EpochMs {
    const openTime = this.#times.at(row);
    const stepMs = this.#stepMs;
    return stepMs === undefined ? closeTimeOf(openTime, this.#interval) : openTime + stepMs;
  }
}

/** The lowest and highest of the added prices. */
class SeenPrices {
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;

  add(price: number | undefined): void {
    if (price === undefined) return;
    if (price < this.low) this.low = price;
    if (price > this.high) this.high = price;
  }
}

interface RowSpan {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

// Two loops, so short that V8 compiles each as soon as it is hot. They compare instead of calling `Math.min`, because NaN and negative zero need no care here.

/** The least of some values, and of `start`. */
function lowest(values: Float64Array, { from, to }: RowSpan, start: number): number {
  let found = start;
  for (let row = from; row < to; row += 1) {
    const value = values[row] as number;
    if (value < found) found = value;
  }
  return found;
}

/** The greatest of some values, and of `start`. */
function highest(values: Float64Array, { from, to }: RowSpan, start: number): number {
  let found = start;
  for (let row = from; row < to; row += 1) {
    const value = values[row] as number;
    if (value > found) found = value;
  }
  return found;
}
