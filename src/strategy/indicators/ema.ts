import type { Candle } from '../../domain/index.js';
import { Indicator, readSource, type PriceSource } from '../indicator.js';
import { SmoothedAverage } from './smoothed-average.js';

class ExponentialMovingAverage extends Indicator {
  readonly lookback: number;
  readonly #average: SmoothedAverage;
  readonly #source: PriceSource;

  constructor(period: number, source: PriceSource) {
    super();
    this.#average = SmoothedAverage.exponential(period);
    this.#source = source;
    this.lookback = period - 1;
  }

  protected override next(candle: Candle): number {
    return this.#average.next(readSource(candle, this.#source));
  }
}

/**
 * Exponential moving average: starts as the mean of the first `period` candles, then each candle weighs 2 / (period + 1).
 *
 * Equals TA-Lib's EMA from the first value. Ours, because trading-signals starts from the first price.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function ema(period: number, source: PriceSource = 'close'): Indicator {
  return new ExponentialMovingAverage(period, source);
}
