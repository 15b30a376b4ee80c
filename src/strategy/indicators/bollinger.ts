import type { Candle } from '../../domain/index.js';
import { declareParts } from '../calculation/precompute.js';
import type { AnyIndicator, Indicator, PriceSource } from '../indicator.js';
import { OutputLine, type IndicatorLine } from './output-line.js';
import { checkMultiplier } from './period.js';
import { sma } from './sma.js';
import { standardDeviation } from './standard-deviation.js';

/** Three lines in the unit of the source. */
export interface BollingerBands extends AnyIndicator {
  readonly upper: IndicatorLine;
  /** The simple moving average, equal to {@link sma} to the last bit. */
  readonly middle: IndicatorLine;
  readonly lower: IndicatorLine;
}

class RollingBollingerBands implements BollingerBands {
  readonly lookback: number;
  readonly upper = new OutputLine();
  readonly middle: Indicator;
  readonly lower = new OutputLine();
  readonly #deviation: Indicator;
  readonly #deviations: number;

  constructor(period: number, deviations: number, source: PriceSource) {
    checkMultiplier(deviations, 'deviations');
    this.middle = sma(period, source);
    this.#deviation = standardDeviation(period, source);
    declareParts(this, [this.middle, this.#deviation]);
    this.#deviations = deviations;
    this.lookback = period - 1;
  }

  update(candle: Candle): void {
    this.middle.update(candle);
    this.#deviation.update(candle);
    const distance = this.#deviations * this.#deviation.value;
    this.upper.push(this.middle.value + distance);
    this.lower.push(this.middle.value - distance);
  }
}

/**
 * Bollinger bands: the simple moving average of `period` candles, and `deviations` population standard deviations above and below it.
 *
 * Equal TA-Lib's BBANDS from the first value. Own code, because trading-signals makes two arrays for each candle.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000; `E_INDICATOR_MULTIPLIER`
 * unless `deviations` is a finite number > 0.
 */
export function bollinger(
  period = 20,
  deviations = 2,
  source: PriceSource = 'close',
): BollingerBands {
  return new RollingBollingerBands(period, deviations, source);
}
