import { DomainError, type Candle } from '../../domain/index.js';
import type { AnyIndicator, PriceSource } from '../indicator.js';
import { requireKeys } from '../option-keys.js';
import { convergenceOf, exponentialWeight } from './convergence.js';
import { OutputLine, type IndicatorLine } from './output-line.js';
import { checkPeriod } from './period.js';
import { SmoothedAverage } from './smoothed-average.js';
import { SourceReader } from './source-reader.js';

export interface MacdOptions {
  /** Candles of the fast exponential average. @defaultValue 12 */
  readonly fast?: number;
  /** Candles of the slow exponential average; more than `fast`. @defaultValue 26 */
  readonly slow?: number;
  /** Candles of the exponential average of the difference. @defaultValue 9 */
  readonly signal?: number;
  /** @defaultValue 'close' */
  readonly source?: PriceSource;
}

/** Three lines in the unit of the source; all start together. */
export interface Macd extends AnyIndicator {
  /** Fast minus slow average. */
  readonly macd: IndicatorLine;
  /** Exponential average of `macd`. */
  readonly signal: IndicatorLine;
  /** `macd` minus `signal`. */
  readonly histogram: IndicatorLine;
}

class MovingAverageConvergenceDivergence implements Macd {
  readonly lookback: number;
  readonly convergence: number;
  readonly macd = new OutputLine();
  readonly signal = new OutputLine();
  readonly histogram = new OutputLine();
  readonly #fast: SmoothedAverage;
  readonly #slow: SmoothedAverage;
  readonly #signal: SmoothedAverage;
  readonly #reader: SourceReader;
  /** Candles until the fast average begins. */
  #untilFast: number;

  constructor({ fast = 12, slow = 26, signal = 9, source = 'close' }: MacdOptions) {
    checkPeriod(fast, 'fast');
    checkPeriod(slow, 'slow');
    checkPeriod(signal, 'signal');
    if (fast >= slow) {
      throw new DomainError(
        'E_INDICATOR_PERIOD',
        `expected fast < slow, received fast ${String(fast)} and slow ${String(slow)}`,
      );
    }
    this.#fast = SmoothedAverage.exponential(fast);
    this.#slow = SmoothedAverage.exponential(slow);
    this.#signal = SmoothedAverage.exponential(signal);
    this.#reader = new SourceReader(source);
    this.#untilFast = slow - fast;
    this.lookback = slow - 1 + (signal - 1);
    this.convergence = convergenceOf(exponentialWeight(slow), exponentialWeight(signal));
  }

  update(candle: Candle): void {
    const difference = this.#difference(this.#reader.read(candle));
    const signal = Number.isNaN(difference) ? Number.NaN : this.#signal.next(difference);
    this.macd.push(Number.isNaN(signal) ? Number.NaN : difference);
    this.signal.push(signal);
    this.histogram.push(difference - signal);
  }

  #difference(price: number): number {
    const slow = this.#slow.next(price);
    if (this.#untilFast > 0) {
      this.#untilFast -= 1;
      return Number.NaN;
    }
    return this.#fast.next(price) - slow;
  }
}

/**
 * Moving average convergence divergence: the distance of two exponential averages, its own average, and the difference of these two.
 *
 * Equals TA-Lib's MACD from the first value: the fast average starts late, so that both averages have their first value on one
 * candle, and no line is shown before the signal. Own code, because trading-signals starts its averages from the first price.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the periods are whole numbers from 1 to 1,000,000 and fast < slow; `E_INDICATOR_OPTION` for an unknown option.
 */
export function macd(options: MacdOptions = {}): Macd {
  requireKeys('macd', options, ['fast', 'slow', 'signal', 'source']);
  return new MovingAverageConvergenceDivergence(options);
}
