import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator, PriceSource } from '../indicator.js';
import { candleSums } from './candle-sums.js';
import { checkPeriod } from './period.js';
import { partsOf, pushSource } from './source-reader.js';
import { TickWindow } from './tick-window.js';

class StandardDeviation implements Calculation {
  readonly #window: TickWindow;
  readonly #source: PriceSource;
  readonly #parts: number;
  readonly #period: number;
  /** Whether the last deviation is the root of an exact quotient. */
  #isExact = false;

  constructor(period: number, source: PriceSource) {
    checkPeriod(period);
    this.#parts = partsOf(source);
    this.#window = new TickWindow(period * this.#parts);
    this.#source = source;
    this.#period = period;
  }

  get strays(): number {
    return this.#window.strays;
  }

  next(candle: Candle): number {
    const window = this.#window;
    pushSource(window, candle, this.#source);
    if (!window.isFull) return Number.NaN;
    const deviation = this.#deviation();
    // A result with rounded intermediate results must not depend on the grid that earlier candles needed.
    return !this.#isExact && window.coarsen() ? this.#deviation() : deviation;
  }

  /**
   * Uses the sum of the distances from the oldest value, and the sum of their squares. So equal values give exactly 0, and large prices do not lose
   * digits, as they would in the mean of squares minus the square of the mean.
   */
  #deviation(): number {
    const { isExact, decimals, scale } = this.#window;
    const period = this.#period;
    const values = candleSums(this.#window, this.#parts);
    const origin = values[0] as number;
    let sum = 0;
    let squares = 0;
    for (let at = 1; at < values.length; at += 1) {
      const distance = (values[at] as number) - origin;
      sum += distance;
      squares += distance * distance;
    }
    const unit = period * this.#parts;
    this.#isExact =
      isExact &&
      period * squares <= Number.MAX_SAFE_INTEGER &&
      // A power of ten is as exact as the power of five in it.
      unit * unit * 25 ** decimals <= Number.MAX_SAFE_INTEGER;
    return this.#isExact
      ? Math.sqrt((period * squares - sum * sum) / (unit * unit * (scale * scale)))
      : Math.sqrt(Math.max(0, squares - (sum * sum) / period) / period) / (this.#parts * scale);
  }
}

/**
 * Population standard deviation (divided by `period`, not by one less) of `period` candles, in the unit of the source.
 *
 * On a tick grid it is the root of an exact quotient, as long as `period` × Σ x² stays below 2^53, where x are distances from the oldest value
 * in ticks. Otherwise it is float64, summed anew for each value, oldest first.
 *
 * Equals TA-Lib's STDDEV from the first value; TA-Lib loses digits if the deviation is small compared with the price. Own code, because
 * trading-signals makes two arrays for each candle.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function standardDeviation(period: number, source: PriceSource = 'close'): Indicator {
  return new CalculatedIndicator({
    name: `standardDeviation ${String(period)} ${source}`,
    lookback: period - 1,
    isWindowed: true,
    isOfClose: source === 'close',
    create: () => new StandardDeviation(period, source),
  });
}
