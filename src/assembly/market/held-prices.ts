import {
  fixedFromNumber,
  powerOfTen,
  FIXED_DECIMALS,
  type CandleColumn,
  type CandleRows,
  type EpochMs,
  type Fixed,
  type Interval,
} from '../../domain/index.js';
import type { HeldPrices, PriceRange, RunPrices } from '../../report/index.js';
import { drivingSeries, type LoadedSeries } from './load-market.js';
import { RowTimes } from './row-times.js';

const MOST_DECIMALS = 8;
/** A decimal of at most 15 digits is the shortest text of its float64. */
const MOST_UNITS = 1e15;

/** Prices from stored candles for the list of trades. They must be read before the market is closed. `dataDelayMs`: as in `simulation`. */
export function createHeldPrices(
  series: readonly Pick<LoadedSeries, 'instrumentId' | 'interval' | 'rows'>[],
  { dataDelayMs }: { readonly dataDelayMs: number },
): RunPrices {
  return new Map(
    [...drivingSeries(series)].map(([id, { rows, interval }]) => [
      id,
      new HeldRows(rows, interval, dataDelayMs),
    ]),
  );
}

/**
 * Each question reads only the columns that it needs. The code that runs for each trade makes few calls: for a thousand trades V8 compiles nothing, and
 * each call takes a tenth of a microsecond.
 */
class HeldRows implements HeldPrices {
  readonly #times: RowTimes;
  readonly #dataDelayMs: number;
  readonly #opens: CandleColumn;
  readonly #highs: CandleColumn;
  readonly #lows: CandleColumn;
  readonly #closes: CandleColumn;
  /** The number of decimals with which all prices so far are whole numbers, if there is one. */
  #decimals = 0;
  /** 10^decimals. */
  #scale = 1;
  /** The amount of one unit of the last decimal. */
  #step: Fixed = powerOfTen(FIXED_DECIMALS);

  constructor(rows: CandleRows, interval: Interval, dataDelayMs: number) {
    this.#times = new RowTimes(rows.column('openTime'), interval);
    this.#dataDelayMs = dataDelayMs;
    this.#opens = rows.column('open');
    this.#highs = rows.column('high');
    this.#lows = rows.column('low');
    this.#closes = rows.column('close');
  }

  closeBy(time: EpochMs): Fixed | undefined {
    const close = this.#closes.at(this.#times.closedBy(time - this.#dataDelayMs));
    return close === undefined ? undefined : this.#priceOf(close);
  }

  openFrom(time: EpochMs): Fixed | undefined {
    const open = this.#opens.at(this.#times.rowBefore(time) + 1);
    return open === undefined ? undefined : this.#priceOf(open);
  }

  between(from: EpochMs, to: EpochMs): PriceRange | undefined {
    const times = this.#times;
    const range = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
    // A candle that begins before the range counts with its close.
    const before = times.rowBefore(from);
    if (before >= 0) {
      const closeTime = times.closeOf(before);
      if (closeTime > from && closeTime <= to) widenBy(range, this.#closes.at(before));
    }
    // A candle that ends after the range counts with its open.
    const last = times.rowBefore(to);
    const isCut = last > before && times.closeOf(last) > to;
    if (isCut) widenBy(range, this.#opens.at(last));
    this.#widenByWhole(range, before + 1, isCut ? last : last + 1);
    if (range.low > range.high) return undefined;
    return { low: this.#priceOf(range.low), high: this.#priceOf(range.high) };
  }

  /** Reads block by block, because a trade may last a million candles. */
  #widenByWhole(range: Range, start: number, end: number): void {
    for (let row = start; row < end;) {
      const lows = this.#lows.around(row);
      const highs = this.#highs.around(row);
      const { first } = this.#lows;
      const next = Math.min(end, this.#lows.end);
      widenByRows(range, lows, highs, row - first, next - first);
      row = next;
    }
  }

  #priceOf(price: number): Fixed {
    const units = Math.round(price * this.#scale);
    if (units / this.#scale === price && units < MOST_UNITS) return BigInt(units) * this.#step;
    if (this.#decimals === MOST_DECIMALS) return fixedFromNumber(price);
    this.#decimals += 1;
    this.#scale = 10 ** this.#decimals;
    this.#step = powerOfTen(FIXED_DECIMALS - this.#decimals);
    return this.#priceOf(price);
  }
}

/** The lowest and highest price found so far. */
interface Range {
  low: number;
  high: number;
}

function widenBy(range: Range, price = Number.NaN): void {
  if (price < range.low) range.low = price;
  if (price > range.high) range.high = price;
}

/**
 * Takes the rows from `row` to `end`, which is exclusive. V8 compiles it early, because its bytecode is shorter than 81 bytes. It compares instead of calling
 * `Math.min`, because NaN and negative zero need no care here.
 */
function widenByRows(
  range: Range,
  lows: Float64Array,
  highs: Float64Array,
  row: number,
  end: number,
): void {
  let { low, high } = range;
  for (; row < end; row += 1) {
    const lowest = lows[row] as number;
    const highest = highs[row] as number;
    if (lowest < low) low = lowest;
    if (highest > high) high = highest;
  }
  range.low = low;
  range.high = high;
}
