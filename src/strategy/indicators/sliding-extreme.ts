import { checkPeriod } from './period.js';

export type ExtremeKind = 'largest' | 'smallest';

/**
 * Largest or smallest of the last `period` values.
 *
 * It keeps the values that can still become the extreme, best first: each value enters and leaves once, so a step costs the same
 * for any period on average.
 */
export class SlidingExtreme {
  readonly #period: number;
  /** 1 looks for the largest, -1 for the smallest. */
  readonly #sign: 1 | -1;
  readonly #candidates: Float64Array;
  /** Which step each candidate came with. */
  readonly #steps: Float64Array;
  #first = 0;
  #size = 0;
  #step = 0;

  /** @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000. */
  constructor(period: number, kind: ExtremeKind) {
    checkPeriod(period);
    this.#period = period;
    this.#sign = kind === 'largest' ? 1 : -1;
    this.#candidates = new Float64Array(period);
    this.#steps = new Float64Array(period);
  }

  /** The extreme after this value; NaN for the first `period - 1` values. */
  next(value: number): number {
    this.#step += 1;
    if (this.#size > 0 && (this.#steps[this.#first] as number) <= this.#step - this.#period) {
      this.#first = this.#wrap(this.#first + 1);
      this.#size -= 1;
    }
    while (this.#size > 0 && this.#isBeaten(this.#wrap(this.#first + this.#size - 1), value))
      this.#size -= 1;
    const last = this.#wrap(this.#first + this.#size);
    this.#candidates[last] = value;
    this.#steps[last] = this.#step;
    this.#size += 1;
    return this.#step < this.#period ? Number.NaN : (this.#candidates[this.#first] as number);
  }

  #isBeaten(index: number, value: number): boolean {
    return this.#sign * (this.#candidates[index] as number) <= this.#sign * value;
  }

  #wrap(index: number): number {
    return index < this.#period ? index : index - this.#period;
  }
}
