import { checkPeriod } from './period.js';

/**
 * Sum of the last `length` numbers, oldest first, each window added up from 0: a running sum drifts, and then equal averages compare as
 * unequal.
 *
 * The sums of all windows that have begun grow side by side. That takes as many additions as adding up each window when it is full, but
 * none waits for the one before it, which is several times faster; the result is the same to the last bit.
 */
export class MovingSum {
  readonly length: number;
  /** Of the windows that have begun, or hold nothing yet, in the order in which they will be full, from `#oldest` on. */
  readonly #sums: Float64Array;
  #oldest = 0;
  #count = 0;
  #value = Number.NaN;

  /** @throws {DomainError} `E_INDICATOR_PERIOD` unless the length is a whole number from 1 to 1,000,000. */
  constructor(length: number) {
    checkPeriod(length);
    this.length = length;
    this.#sums = new Float64Array(length);
  }

  push(value: number): void {
    const sums = this.#sums;
    for (let index = 0; index < sums.length; index += 1)
      sums[index] = (sums[index] as number) + value;
    const oldest = this.#oldest;
    this.#oldest = oldest + 1 === sums.length ? 0 : oldest + 1;
    if (this.#count < sums.length) this.#count += 1;
    if (this.#count === sums.length) this.#value = sums[oldest] as number;
    // The window that begins with the next number takes the place of the one that is full.
    sums[oldest] = 0;
  }

  /** Sum of the last window; NaN before one is full. */
  get value(): number {
    return this.#value;
  }

  /** Mean of the last window; NaN before one is full. */
  get mean(): number {
    return this.#value / this.length;
  }
}
