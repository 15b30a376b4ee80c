import type { Candle } from '../../domain/index.js';
import { readSource, type AnyIndicator, type PriceSource } from '../indicator.js';
import { OutputLine, type IndicatorLine } from './output-line.js';
import { checkMultiplier } from './period.js';
import { Window } from './window.js';

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
  readonly middle = new OutputLine();
  readonly lower = new OutputLine();
  readonly #window: Window;
  readonly #deviations: number;
  readonly #source: PriceSource;

  constructor(period: number, deviations: number, source: PriceSource) {
    checkMultiplier(deviations, 'deviations');
    this.#window = new Window(period);
    this.#deviations = deviations;
    this.#source = source;
    this.lookback = period - 1;
  }

  update(candle: Candle): void {
    this.#window.push(readSource(candle, this.#source));
    const middle = this.#window.mean();
    const distance = this.#deviations * this.#window.standardDeviation();
    this.upper.push(middle + distance);
    this.middle.push(middle);
    this.lower.push(middle - distance);
  }
}

/**
 * Bollinger bands: the simple moving average of `period` candles, and `deviations` population standard deviations above and below it.
 *
 * Equal TA-Lib's BBANDS from the first value. Ours, because trading-signals makes two arrays for each candle.
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
