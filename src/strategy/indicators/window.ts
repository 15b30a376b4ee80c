import { checkPeriod } from './period.js';

/** The last `length` numbers. What is computed from them needs a full window. */
export class Window {
  readonly length: number;
  readonly #values: Float64Array;
  #next = 0;
  #count = 0;

  /** @throws {DomainError} `E_INDICATOR_PERIOD` unless the length is a whole number from 1 to 1,000,000. */
  constructor(length: number) {
    checkPeriod(length);
    this.length = length;
    this.#values = new Float64Array(length);
  }

  get isFull(): boolean {
    return this.#count === this.length;
  }

  push(value: number): void {
    this.#values[this.#next] = value;
    this.#next = this.#next + 1 === this.length ? 0 : this.#next + 1;
    if (this.#count < this.length) this.#count += 1;
  }

  /**
   * Sum of a full window, oldest first. It is summed afresh for each value: a running sum drifts, and then equal averages compare
   * as unequal.
   */
  sum(): number {
    const values = this.#values;
    let total = 0;
    for (let index = this.#next; index < values.length; index += 1)
      total += values[index] as number;
    for (let index = 0; index < this.#next; index += 1) total += values[index] as number;
    return total;
  }

  /** Mean of a full window; NaN before. */
  mean(): number {
    return this.isFull ? this.sum() / this.length : Number.NaN;
  }
}
