import { InvariantError, type EpochMs } from '../domain/index.js';
import type { Figure } from './figure.js';

export interface DrawdownFigures {
  /** Deepest fall below the highest equity before it: 0.2 is 20 %. */
  readonly maxDrawdown: Figure;
  /** Milliseconds. */
  readonly maxDrawdownDuration: Figure;
}

/** What the closes of the execution interval say of equity. */
export interface CloseFigures extends DrawdownFigures {
  readonly count: number;
  /** Sum of the equity at them, added from the first to the last: float64 addition is not associative. */
  readonly sum: number;
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
  #peak: number;
  #peakTime: EpochMs;
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

  /** @throws {InvariantError} `E_CANDLE_EQUITY` when the time or the equity is not finite. */
  add(time: EpochMs, equity: number): void {
    if (!Number.isFinite(equity) || !Number.isFinite(time)) throw this.#hole(time, equity);
    this.#count += 1;
    this.#sum += equity;
    if (equity < this.#peak) {
      this.#isUnderwater = true;
      const depth = (this.#peak - equity) / this.#peak;
      if (depth > this.#deepest) this.#deepest = depth;
      if (time - this.#peakTime > this.#longest) this.#longest = time - this.#peakTime;
    } else {
      if (this.#isUnderwater) this.#longest = Math.max(this.#longest, time - this.#peakTime);
      this.#isUnderwater = false;
      this.#peak = equity;
      this.#peakTime = time;
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

  #hole(time: EpochMs, equity: number): InvariantError {
    return new InvariantError(
      'E_CANDLE_EQUITY',
      `expected a time and a finite equity at close ${String(this.#count)}, received ${String(time)} and ${String(equity)}`,
    );
  }
}
