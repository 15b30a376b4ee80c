import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator, PriceSource } from '../indicator.js';
import { checkPeriod } from './period.js';
import { partsOf, pushSource } from './source-reader.js';
import { TickWindow } from './tick-window.js';

class WeightedMovingAverage implements Calculation {
  readonly #window: TickWindow;
  readonly #source: PriceSource;
  readonly #parts: number;
  /** Total weight of all numbers. */
  readonly #weight: number;

  constructor(period: number, source: PriceSource) {
    checkPeriod(period);
    this.#parts = partsOf(source);
    this.#weight = (this.#parts * period * (period + 1)) / 2;
    this.#window = new TickWindow(period * this.#parts, this.#weight);
    this.#source = source;
  }

  get strays(): number {
    return this.#window.strays;
  }

  next(candle: Candle): number {
    const window = this.#window;
    pushSource(window, candle, this.#source);
    if (!window.isFull) return Number.NaN;
    const values = window.values();
    let sum = 0;
    let weight = 0;
    for (let at = 0; at < values.length; at += 1) {
      if (at % this.#parts === 0) weight += 1;
      sum += weight * (values[at] as number);
    }
    return sum / (this.#weight * window.scale);
  }
}

/**
 * Linearly weighted moving average: the newest candle weighs `period`, the oldest 1. As {@link sma}, exact on a tick grid: the weighted sum in
 * ticks is divided once.
 *
 * Equals TA-Lib's WMA from the first value within float rounding (TA-Lib keeps running sums). Own code, because trading-signals sums float64.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function wma(period: number, source: PriceSource = 'close'): Indicator {
  return new CalculatedIndicator({
    name: `wma ${String(period)} ${source}`,
    lookback: period - 1,
    isWindowed: true,
    isOfClose: source === 'close',
    create: () => new WeightedMovingAverage(period, source),
  });
}
