import { CCI } from 'trading-signals';
import type { Candle } from '../../domain/index.js';
import { ForeseeingIndicator } from '../foresight.js';
import { readSource, type Indicator } from '../indicator.js';
import { checkPeriod } from './period.js';

class CommodityChannelIndex extends ForeseeingIndicator {
  readonly lookback: number;
  readonly #series: CCI;
  #price = Number.NaN;
  #unchanged = 0;

  constructor(period: number) {
    super({
      name: `cci ${String(period)}`,
      isWindowed: true,
      isOfClose: false,
      create: () => new CommodityChannelIndex(period),
    });
    checkPeriod(period);
    this.#series = new CCI(period);
    this.lookback = period - 1;
  }

  protected override next(candle: Candle): number {
    const price = readSource(candle, 'hlc3');
    this.#unchanged = price === this.#price ? this.#unchanged + 1 : 0;
    this.#price = price;
    const index = this.#series.update(candle, false);
    if (index === null) return Number.NaN;
    // In a flat window the quotient is 0 / 0, or made of rounding errors alone.
    return this.#unchanged >= this.lookback ? 0 : index;
  }
}

/**
 * Commodity channel index: how far the typical price is from its average, in units of 0.015 mean deviations; mostly within ±100.
 *
 * Source: trading-signals. Equals TA-Lib's CCI from the first value; 0 in a window without movement.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function cci(period = 14): Indicator {
  return new CommodityChannelIndex(period);
}
