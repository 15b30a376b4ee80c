import { InvariantError, type EpochMs } from '../domain/index.js';
import type { Figure } from './figure.js';
import { RunningSum } from './running-sum.js';

export interface DrawdownFigures {
  /** Deepest fall below the highest equity before it: 0.2 is 20 %. */
  readonly maxDrawdown: Figure;
  /** Milliseconds. */
  readonly maxDrawdownDuration: Figure;
}

/**
 * Equity at each close of the execution interval, as the nearest float64: one point per instant, in rising order. Serves the detailed
 * curve, never money. The arrays are shared, not copied.
 */
export interface CandleEquity {
  readonly time: Float64Array;
  readonly value: Float64Array;
}

/** What the closes of the execution interval say of equity. */
export interface CloseFigures extends DrawdownFigures {
  readonly count: number;
  /** Sum of the equity at them, added from the first to the last: float64 addition is not associative. */
  readonly sum: number;
}

/** Closes at regular times, each with an equity of `unpriced + quantity × price`. */
export interface PricedCloses {
  readonly unpriced: number;
  /** 0 where equity follows no price. */
  readonly quantity: number;
  readonly prices: Float64Array;
  /** Index of the first price. */
  readonly first: number;
  /** Index behind the last price. */
  readonly end: number;
  /** Time of the last close. */
  readonly last: EpochMs;
  readonly stepMs: number;
}

/**
 * Takes the equity at each close of the execution interval, as the nearest float64, one after the other and in rising order of time, and
 * keeps what they say together: a run of any length takes no more memory than a short one. The start counts as the first peak:
 *
 * - maxDrawdown = max over closes of (peak − equity) ÷ peak, the peak being the highest equity so far; in 0…1 while equity is not
 *   negative
 * - maxDrawdownDuration = longest time from the last close at a peak to the first close at or above it again, or to the end of the run
 *   where it was not regained
 *
 * Both are null without closes, or without money at the start.
 */
export class CloseTally {
  readonly #hasMoney: boolean;
  // Numbers from the start, as all that changes with each close: a member that is nothing first takes a new object with each.
  #peak = Number.NaN;
  #peakTime: EpochMs = Number.NaN;
  /** Lowest equity since the peak; the peak itself while none was below it. */
  #lowest = Number.NaN;
  #lastTime: EpochMs = Number.NaN;
  /** Of the falls that have ended, as `#longest`. */
  #deepest = 0;
  #longest = 0;
  #count = 0;
  readonly #sum = new RunningSum();

  constructor(start: { readonly time: EpochMs; readonly value: number }) {
    this.#hasMoney = start.value > 0;
    this.#peak = start.value;
    this.#lowest = start.value;
    this.#peakTime = start.time;
    this.#lastTime = start.time;
  }

  /** @throws {InvariantError} `E_CANDLE_EQUITY` when the time or the equity is not finite. */
  add(time: EpochMs, equity: number): void {
    if (!Number.isFinite(equity) || !Number.isFinite(time))
      throw createHole(this.#count, time, equity);
    this.#sum.value += equity;
    this.#count += 1;
    this.#lastTime = time;
    if (equity >= this.#peak) this.#rise(time, equity);
    else if (equity < this.#lowest) this.#lowest = equity;
  }

  /**
   * Does what {@link add} does with each of many closes.
   *
   * @throws {InvariantError} as {@link add}.
   */
  addPriced(closes: PricedCloses): void {
    const { unpriced, quantity, first, end, last, stepMs } = closes;
    const count = end - first;
    if (quantity === 0) this.#addLevel(unpriced, count, last, stepMs);
    else this.#addLine(closes);
    // What is not finite makes the sum so.
    if (!Number.isFinite(this.#sum.value) || !Number.isFinite(last)) this.#assertFinite(closes);
    this.#count += count;
    this.#lastTime = last;
  }

  /** Closes that are all the same: of those at a peak the first ends a fall, and the last is where the next may begin. */
  #addLevel(equity: number, count: number, last: EpochMs, stepMs: number): void {
    this.#sum.addTimes(equity, count);
    if (equity >= this.#peak) {
      this.#rise(last - (count - 1) * stepMs, equity);
      this.#peakTime = last;
    } else if (equity < this.#lowest) this.#lowest = equity;
  }

  /** Equity and sum are kept in registers from one close to the next, and a fall is measured once, when it has ended. */
  #addLine({ unpriced, quantity, prices, first, end, last, stepMs }: PricedCloses): void {
    let sum = this.#sum.value;
    let peak = this.#peak;
    let lowest = this.#lowest;
    for (let index = first; index < end; index += 1) {
      const equity = unpriced + quantity * (prices[index] as number);
      sum += equity;
      if (equity < peak) {
        if (equity < lowest) lowest = equity;
        continue;
      }
      this.#lowest = lowest;
      this.#rise(last - (end - 1 - index) * stepMs, equity);
      peak = equity;
      lowest = equity;
    }
    this.#sum.value = sum;
    this.#lowest = lowest;
  }

  #assertFinite({ unpriced, quantity, prices, first, end, last, stepMs }: PricedCloses): void {
    for (let index = first; index < end; index += 1) {
      const equity = unpriced + quantity * (prices[index] as number);
      const time = last - (end - 1 - index) * stepMs;
      if (!Number.isFinite(equity) || !Number.isFinite(time))
        throw createHole(this.#count + index - first, time, equity);
    }
  }

  /** Takes a close at the peak or above it. */
  #rise(time: EpochMs, equity: number): void {
    if (this.#lowest < this.#peak) {
      this.#deepest = Math.max(this.#deepest, this.#depth);
      this.#longest = Math.max(this.#longest, time - this.#peakTime);
    }
    this.#peak = equity;
    this.#lowest = equity;
    this.#peakTime = time;
  }

  /** Of the fall under way: no close between was deeper than the lowest, also after rounding. */
  get #depth(): number {
    return (this.#peak - this.#lowest) / this.#peak;
  }

  get figures(): CloseFigures {
    const isKnown = this.#hasMoney && this.#count > 0;
    const isFalling = this.#lowest < this.#peak;
    const underwaterMs = isFalling ? this.#lastTime - this.#peakTime : 0;
    return {
      count: this.#count,
      sum: this.#sum.value,
      maxDrawdown: isKnown ? Math.max(this.#deepest, isFalling ? this.#depth : 0) : null,
      maxDrawdownDuration: isKnown ? Math.max(this.#longest, underwaterMs) : null,
    };
  }
}

function createHole(close: number, time: EpochMs, equity: number): InvariantError {
  return new InvariantError(
    'E_CANDLE_EQUITY',
    `expected a time and a finite equity at close ${String(close)}, received ${String(time)} and ${String(equity)}`,
  );
}
