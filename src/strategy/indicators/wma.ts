import { WMA } from 'trading-signals';
import type { Candle } from '../../domain/index.js';
import { ForeseeingIndicator } from '../foresight.js';
import { readSource, type Indicator, type PriceSource } from '../indicator.js';
import { checkPeriod } from './period.js';

class WeightedMovingAverage extends ForeseeingIndicator {
  readonly lookback: number;
  readonly #series: WMA;
  readonly #source: PriceSource;

  constructor(period: number, source: PriceSource) {
    super({
      name: `wma ${String(period)} ${source}`,
      isWindowed: true,
      isOfClose: source === 'close',
      create: () => new WeightedMovingAverage(period, source),
    });
    checkPeriod(period);
    this.#series = new WMA(period);
    this.#source = source;
    this.lookback = period - 1;
  }

  protected override next(candle: Candle): number {
    return this.#series.update(readSource(candle, this.#source), false) ?? Number.NaN;
  }
}

/**
 * Linearly weighted moving average: the newest candle weighs `period`, the oldest 1. Summed afresh, oldest first.
 *
 * Source: trading-signals. Equals TA-Lib's WMA from the first value within float rounding (TA-Lib keeps running sums).
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function wma(period: number, source: PriceSource = 'close'): Indicator {
  return new WeightedMovingAverage(period, source);
}
