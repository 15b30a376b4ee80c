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
  #isUnderwater = false;
  #deepest = 0;
  #longest = 0;
  #count = 0;
  #sum = 0;

  constructor(start: { readonly time: EpochMs; readonly value: number }) {
    this.#hasMoney = start.value > 0;
    this.#peak = start.value;
    this.#peakTime = start.time;
  }

  /**
   * Takes the first `count` closes. Many at once: what they change is then kept in registers from one to the next.
   *
   * @throws {InvariantError} `E_CANDLE_EQUITY` when a time or equity is not finite.
   */
  add({ time, value }: CandleEquity, count: number): void {
    let sum = this.#sum;
    let peak = this.#peak;
    let peakTime = this.#peakTime;
    let isUnderwater = this.#isUnderwater;
    let deepest = this.#deepest;
    let longest = this.#longest;
    for (let index = 0; index < count; index += 1) {
      const equity = value[index] as number;
      const now = time[index] as number;
      if (!Number.isFinite(equity) || !Number.isFinite(now))
        throw createHole(this.#count + index, now, equity);
      sum += equity;
      if (equity < peak) {
        isUnderwater = true;
        const depth = (peak - equity) / peak;
        if (depth > deepest) deepest = depth;
        if (now - peakTime > longest) longest = now - peakTime;
      } else {
        if (isUnderwater && now - peakTime > longest) longest = now - peakTime;
        isUnderwater = false;
        peak = equity;
        peakTime = now;
      }
    }
    this.#count += count;
    this.#sum = sum;
    this.#peak = peak;
    this.#peakTime = peakTime;
    this.#isUnderwater = isUnderwater;
    this.#deepest = deepest;
    this.#longest = longest;
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
    if (equity < this.#peak) {
      this.#isUnderwater = true;
      this.#deepest = Math.max(this.#deepest, (this.#peak - equity) / this.#peak);
      this.#longest = Math.max(this.#longest, last - this.#peakTime);
    } else {
      if (this.#isUnderwater) this.#longest = Math.max(this.#longest, first - this.#peakTime);
      this.#isUnderwater = false;
      this.#peak = equity;
      this.#peakTime = last;
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
