import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator } from '../indicator.js';
import { candleSums } from './candle-sums.js';
import { checkPeriod } from './period.js';
import { pushSource } from './source-reader.js';
import { TickWindow } from './tick-window.js';

/** Number of prices that a typical price averages. */
const PARTS = 3;

class CommodityChannelIndex implements Calculation {
  readonly #window: TickWindow;
  readonly #period: number;
  /** The largest intermediate result of the index: if it is a safe integer, the index is exact. */
  #largest = 0;

  constructor(period: number) {
    checkPeriod(period);
    this.#window = new TickWindow(period * PARTS);
    this.#period = period;
  }

  get strays(): number {
    return this.#window.strays;
  }

  next(candle: Candle): number {
    const window = this.#window;
    pushSource(window, candle, 'hlc3');
    if (!window.isFull) return Number.NaN;
    const index = this.#index();
    if (Number.isSafeInteger(this.#largest)) return index;
    // A result with rounded intermediate results must not depend on the grid that earlier candles needed.
    return window.coarsen() ? this.#index() : index;
  }

  /**
   * Distance of the last price from the mean, divided by 0.015 mean distances. All are multiplied by `period`, so that no intermediate result in ticks
   * is a fraction.
   */
  #index(): number {
    const period = this.#period;
    const prices = candleSums(this.#window, PARTS);
    let total = 0;
    for (const price of prices) total += price;
    let distances = 0;
    for (const price of prices) distances += Math.abs(period * price - total);
    const distance = 200 * period * (period * (prices[period - 1] as number) - total);
    this.#largest = Math.max(3 * distances, Math.abs(distance));
    const first = prices[0];
    // Off the grid the distances of a flat window are rounding errors.
    return prices.every((price) => price === first) ? 0 : distance / (3 * distances);
  }
}

/**
 * Commodity channel index: how far the typical price is from its average, in units of 0.015 mean deviations; mostly within ±100. On a tick grid
 * it is a quotient of exact integers.
 *
 * Equals TA-Lib's CCI from the first value; 0 in a window without movement. Own code, because trading-signals sums float64: a price at its average
 * then does not give 0.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function cci(period = 14): Indicator {
  return new CalculatedIndicator({
    name: `cci ${String(period)}`,
    lookback: period - 1,
    isWindowed: true,
    isOfClose: false,
    create: () => new CommodityChannelIndex(period),
  });
}
