import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator } from '../indicator.js';
import { convergenceOf, wilderWeight } from './convergence.js';
import { SmoothedAverage } from './smoothed-average.js';
import { trueRange } from './true-range.js';

class AverageTrueRange implements Calculation {
  readonly #range = trueRange();
  readonly #average: SmoothedAverage;

  constructor(period: number) {
    this.#average = SmoothedAverage.wilder(period);
  }

  next(candle: Candle): number {
    this.#range.update(candle);
    return this.#range.isReady ? this.#average.next(this.#range.value) : Number.NaN;
  }
}

/**
 * Average true range in quote, smoothed as Wilder does: starts as the mean of `period` true ranges, then each weighs 1 / period.
 *
 * Equals TA-Lib's ATR from the first value. Own code, because trading-signals counts the first candle's range too.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function atr(period = 14): Indicator {
  return new CalculatedIndicator({
    name: `atr ${String(period)}`,
    lookback: period,
    isWindowed: false,
    convergence: convergenceOf(wilderWeight(period)),
    isOfClose: false,
    create: () => new AverageTrueRange(period),
  });
}
