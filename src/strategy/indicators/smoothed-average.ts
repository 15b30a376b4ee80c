import { exponentialWeight, wilderWeight } from './convergence.js';
import { checkPeriod } from './period.js';

/**
 * Starts as the mean of its first `period` values, then moves toward each next one by `weight` of the distance: the recursion
 * behind the exponential average (weight 2 / (period + 1)) and Wilder's (weight 1 / period), seeded as TA-Lib seeds both.
 */
export class SmoothedAverage {
  readonly #period: number;
  readonly #weight: number;
  #count = 0;
  #average = 0;

  /** @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000. */
  constructor(period: number, weight: number) {
    checkPeriod(period);
    this.#period = period;
    this.#weight = weight;
  }

  static exponential(period: number): SmoothedAverage {
    return new SmoothedAverage(period, exponentialWeight(period));
  }

  static wilder(period: number): SmoothedAverage {
    return new SmoothedAverage(period, wilderWeight(period));
  }

  /** The average after this value; NaN for the first `period - 1` values. */
  next(value: number): number {
    if (this.#count === this.#period) {
      this.#average += (value - this.#average) * this.#weight;
      return this.#average;
    }
    this.#count += 1;
    this.#average += value;
    if (this.#count < this.#period) return Number.NaN;
    this.#average /= this.#period;
    return this.#average;
  }
}
