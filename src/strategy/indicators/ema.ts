import type { Candle } from '../../domain/index.js';
import { Indicator, type PriceSource } from '../indicator.js';
import { convergenceOf, exponentialWeight } from './convergence.js';
import { SmoothedAverage } from './smoothed-average.js';
import { SourceReader } from './source-reader.js';

class ExponentialMovingAverage extends Indicator {
  readonly lookback: number;
  override readonly convergence: number;
  readonly #average: SmoothedAverage;
  readonly #reader: SourceReader;

  constructor(period: number, source: PriceSource) {
    super();
    this.#average = SmoothedAverage.exponential(period);
    this.#reader = new SourceReader(source);
    this.lookback = period - 1;
    this.convergence = convergenceOf(exponentialWeight(period));
  }

  protected override next(candle: Candle): number {
    return this.#average.next(this.#reader.read(candle));
  }
}

/**
 * Exponential moving average: starts as the mean of the first `period` candles, then each candle weighs 2 / (period + 1).
 *
 * Equals TA-Lib's EMA from the first value. Own code, because trading-signals starts from the first price.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function ema(period: number, source: PriceSource = 'close'): Indicator {
  return new ExponentialMovingAverage(period, source);
}
