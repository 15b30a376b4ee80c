import { InvariantError, type EpochMs } from '../domain/index.js';
import type { Figure } from './figure.js';

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

/** Closes at regular times. */
export interface LevelCloses {
  readonly count: number;
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
  /** Lowest equity since then: below the peak, where it was not regained. */
  #lowest = Number.NaN;
  #deepest = 0;
  #longest = 0;
  #count = 0;
  #sum = 0;

  constructor(start: { readonly time: EpochMs; readonly value: number }) {
    this.#hasMoney = start.value > 0;
    this.#peak = start.value;
    this.#lowest = start.value;
    this.#peakTime = start.time;
  }

  /**
   * Takes the first `count` closes. Many at once: what they change is then kept in registers from one to the next.
   *
   * @throws {InvariantError} `E_CANDLE_EQUITY` when a time or equity is not finite.
   */
  add({ time, value }: CandleEquity, count: number): void {
    if (count === 0) return;
    let sum = this.#sum;
    let peak = this.#peak;
    let lowest = this.#lowest;
    for (let index = 0; index < count; index += 1) {
      const equity = value[index] as number;
      const now = time[index] as number;
      if (!Number.isFinite(equity) || !Number.isFinite(now))
        throw createHole(this.#count + index, now, equity);
      sum += equity;
      if (equity >= peak) {
        if (lowest < peak) this.#measureFall(lowest, now);
        peak = equity;
        lowest = equity;
        this.#peak = equity;
        this.#peakTime = now;
      } else if (equity < lowest) lowest = equity;
    }
    if (lowest < peak) this.#measureFall(lowest, time[count - 1] as number);
    this.#count += count;
    this.#sum = sum;
    this.#lowest = lowest;
  }

  /** Measures the fall from the last peak to the lowest equity since, by the time at which the peak is regained or not yet. */
  #measureFall(lowest: number, now: EpochMs): void {
    this.#deepest = Math.max(this.#deepest, (this.#peak - lowest) / this.#peak);
    this.#longest = Math.max(this.#longest, now - this.#peakTime);
  }

  /**
   * Does what {@link add} does with so many closes of one equity, `stepMs` apart: between two changes of the account where nothing is held.
   *
   * @throws {InvariantError} `E_CANDLE_EQUITY` when the time or the equity is not finite.
   */
  addLevel(equity: number, closes: LevelCloses): void {
    const { last, stepMs, count } = closes;
    const first = last - (count - 1) * stepMs;
    if (!Number.isFinite(equity) || !Number.isFinite(first))
      throw createHole(this.#count, first, equity);
    // Added one by one: the sum is that of closes which came one by one.
    let sum = this.#sum;
    for (let left = count; left > 0; left -= 1) sum += equity;
    this.#sum = sum;
    this.#count += count;
    if (equity >= this.#peak) {
      if (this.#lowest < this.#peak) this.#measureFall(this.#lowest, first);
      this.#peak = equity;
      this.#lowest = equity;
      this.#peakTime = last;
    } else {
      this.#lowest = Math.min(this.#lowest, equity);
      this.#measureFall(this.#lowest, last);
    }
  }

  get figures(): CloseFigures {
    const isKnown = this.#hasMoney && this.#count > 0;
    return {
      count: this.#count,
      sum: this.#sum,
      maxDrawdown: isKnown ? this.#deepest : null,
      maxDrawdownDuration: isKnown ? this.#longest : null,
    };
  }
}

function createHole(close: number, time: EpochMs, equity: number): InvariantError {
  return new InvariantError(
    'E_CANDLE_EQUITY',
    `expected a time and a finite equity at close ${String(close)}, received ${String(time)} and ${String(equity)}`,
  );
}
