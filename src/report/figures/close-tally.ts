import { InvariantError, type EpochMs, type Fixed } from '../../domain/index.js';
import type { Figure } from './figure.js';
import { RunningSum } from './running-sum.js';

export interface DrawdownFigures {
  /** Deepest fall below the highest equity before it: 0.2 is 20 %. */
  readonly maxDrawdown: Figure;
  /** Longest time below a peak, in milliseconds. */
  readonly maxDrawdownDuration: Figure;
}

/** Exact equity at each close of the execution interval: one point per instant, in rising order. The lists are shared, not copied. */
export interface CandleEquity {
  readonly time: Float64Array;
  readonly value: readonly Fixed[];
}

/** Figures of equity over the closes of the execution interval. */
export interface CloseFigures extends DrawdownFigures {
  readonly count: number;
  /** Sum of the equity at the closes, added from the first to the last: float64 addition is not associative. */
  readonly sum: number;
}

/** Closes at regular times, with the prices that determine equity. */
export interface RegularCloses {
  readonly prices: Float64Array;
  /** Index of the first close in `prices`. */
  readonly first: number;
  readonly count: number;
  /** When the first close was known. */
  readonly time: EpochMs;
  readonly stepMs: number;
}

/** Equity as a function of one price: `unpriced + sign × (quantity × price − entry)`. */
interface LinearEquity {
  readonly unpriced: number;
  /** 1 or −1. */
  readonly sign: number;
  /** 0 if equity depends on no price. */
  readonly quantity: number;
  readonly entry: number;
}

/**
 * Takes the equity at each close of the execution interval, as the nearest float64, one by one in rising order of time. It keeps only totals: a long run
 * takes no more memory than a short one. The start counts as the first peak:
 *
 * - maxDrawdown = max over closes and the end of (peak − equity) ÷ peak, the peak being the highest equity so far; in 0…1 while equity is not
 *   negative
 * - maxDrawdownDuration = longest time from the last close at a peak to the first close at or above it again, or to the end of the run if equity did not
 *   regain the peak
 *
 * Both are null without closes, or without money at the start.
 */
export class CloseTally {
  readonly #hasMoney: boolean;
  // Every member that changes with each close starts as a number: a member that starts as undefined allocates a new object at each close.
  #peak = Number.NaN;
  #peakTime: EpochMs = Number.NaN;
  /** Lowest equity since the peak; the peak itself if no close was below it. */
  #lowest = Number.NaN;
  /** Of the falls that have ended; `#longest` too. */
  #deepest = 0;
  #longest = 0;
  #count = 0;
  readonly #sum = new RunningSum();

  constructor(start: { readonly time: EpochMs; readonly value: number }) {
    this.#hasMoney = start.value > 0;
    this.#peak = start.value;
    this.#lowest = start.value;
    this.#peakTime = start.time;
  }

  /** @throws {InvariantError} `E_CANDLE_EQUITY` when the time or the equity is not finite. */
  add(time: EpochMs, equity: number): void {
    if (!Number.isFinite(equity) || !Number.isFinite(time))
      throw createHole(this.#count, time, equity);
    this.#sum.value += equity;
    this.#count += 1;
    if (equity >= this.#peak) this.#rise(time, equity);
    else if (equity < this.#lowest) this.#lowest = equity;
  }

  /**
   * Adds the equity at each of many closes, with the same outcome as {@link add}.
   *
   * @throws {InvariantError} as {@link add}.
   */
  addPriced(equity: LinearEquity, at: RegularCloses): void {
    const { count, time, stepMs } = at;
    const last = time + (count - 1) * stepMs;
    if (equity.quantity === 0) this.#addLevel(equity.unpriced, at, last);
    else this.#addLine(equity, at);
    // A value that is not finite makes the sum not finite.
    if (!Number.isFinite(this.#sum.value) || !Number.isFinite(last)) this.#assertFinite(equity, at);
    this.#count += count;
  }

  /** Adds closes that all have the same equity. If it is at a peak, the first close ends the current fall, and the next fall starts from the last close. */
  #addLevel(level: number, { count, time }: RegularCloses, last: EpochMs): void {
    this.#sum.addTimes(level, count);
    if (level >= this.#peak) {
      this.#rise(time, level);
      this.#peakTime = last;
    } else if (level < this.#lowest) this.#lowest = level;
  }

  /** Equity and sum stay in registers from one close to the next. A fall is measured once, at its end. */
  #addLine(
    { unpriced, sign, quantity, entry }: LinearEquity,
    { prices, first, count, time, stepMs }: RegularCloses,
  ): void {
    let sum = this.#sum.value;
    let peak = this.#peak;
    let lowest = this.#lowest;
    for (let index = 0; index < count; index += 1) {
      const price = prices[first + index] as number;
      const equity = unpriced + sign * (quantity * price - entry);
      sum += equity;
      if (equity < peak) {
        if (equity < lowest) lowest = equity;
        continue;
      }
      this.#lowest = lowest;
      this.#rise(time + index * stepMs, equity);
      peak = equity;
      lowest = equity;
    }
    this.#sum.value = sum;
    this.#lowest = lowest;
  }

  #assertFinite({ unpriced, sign, quantity, entry }: LinearEquity, at: RegularCloses): void {
    for (let index = 0; index < at.count; index += 1) {
      const price = at.prices[at.first + index] as number;
      const equity = unpriced + sign * (quantity * price - entry);
      const time = at.time + index * at.stepMs;
      if (!Number.isFinite(equity) || !Number.isFinite(time))
        throw createHole(this.#count + index, time, equity);
    }
  }

  /** Takes a close at the peak or above it. */
  #rise(time: EpochMs, equity: number): void {
    if (this.#lowest < this.#peak) {
      this.#deepest = Math.max(this.#deepest, this.#depthOf(this.#lowest));
      this.#longest = Math.max(this.#longest, time - this.#peakTime);
    }
    this.#peak = equity;
    this.#lowest = equity;
    this.#peakTime = time;
  }

  /** Depth of the current fall. The lowest equity gives the greatest depth, also after rounding. */
  #depthOf(lowest: number): number {
    return (this.#peak - lowest) / this.#peak;
  }

  /** All state that later figures depend on, apart from the later closes themselves. */
  get state(): readonly number[] {
    return [
      this.#peak,
      this.#peakTime,
      this.#lowest,
      this.#deepest,
      this.#longest,
      this.#count,
      this.#sum.value,
    ];
  }

  /**
   * Figures over all closes of a run. `end`: the end of the run, at the last close or later, and the equity then. It is no further close, but a
   * fall counts to it: what closing at the end costs, and what is paid at the end, is booked after the last close.
   */
  figuresBy(end: { readonly time: EpochMs; readonly equity: number }): CloseFigures {
    const isKnown = this.#hasMoney && this.#count > 0;
    const lowest = Math.min(this.#lowest, end.equity);
    const isFalling = lowest < this.#peak;
    const underwaterMs = isFalling ? end.time - this.#peakTime : 0;
    return {
      count: this.#count,
      sum: this.#sum.value,
      maxDrawdown: isKnown ? Math.max(this.#deepest, isFalling ? this.#depthOf(lowest) : 0) : null,
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
