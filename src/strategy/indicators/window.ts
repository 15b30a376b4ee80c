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

  /**
   * Population standard deviation of a full window, summed afresh, oldest first; NaN before.
   *
   * Distances are taken from the oldest value, so that equal values give exactly 0 and large prices lose no digits, as they do in
   * the mean of squares minus the square of the mean.
   */
  standardDeviation(): number {
    if (!this.isFull) return Number.NaN;
    const values = this.#values;
    const origin = values[this.#next] as number;
    let sum = 0;
    let sumOfSquares = 0;
    for (let age = 1, index = this.#next; age < values.length; age += 1) {
      index = index + 1 === values.length ? 0 : index + 1;
      const distance = (values[index] as number) - origin;
      sum += distance;
      sumOfSquares += distance * distance;
    }
    return Math.sqrt(Math.max(0, sumOfSquares - (sum * sum) / this.length) / this.length);
  }
}
