import { ROC } from 'trading-signals';
import type { Candle } from '../../domain/index.js';
import { ForeseeingIndicator } from '../foresight.js';
import { readSource, type Indicator, type PriceSource } from '../indicator.js';
import { checkPeriod } from './period.js';

class RateOfChange extends ForeseeingIndicator {
  readonly lookback: number;
  readonly #series: ROC;
  readonly #source: PriceSource;

  constructor(period: number, source: PriceSource) {
    super({
      name: `roc ${String(period)} ${source}`,
      isWindowed: true,
      isOfClose: source === 'close',
      create: () => new RateOfChange(period, source),
    });
    checkPeriod(period);
    this.#series = new ROC(period);
    this.#source = source;
    this.lookback = period;
  }

  protected override next(candle: Candle): number {
    const ratio = this.#series.update(readSource(candle, this.#source), false);
    return ratio === null ? Number.NaN : ratio * 100;
  }
}

/**
 * Rate of change over `period` candles, in percent: 2 means 2 % higher than `period` candles ago.
 *
 * Source: trading-signals (there a fraction). Equals TA-Lib's ROC from the first value.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function roc(period: number, source: PriceSource = 'close'): Indicator {
  return new RateOfChange(period, source);
}
