import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator, PriceSource } from '../indicator.js';
import { candleSums } from './candle-sums.js';
import { checkPeriod } from './period.js';
import { partsOf, pushSource } from './source-reader.js';
import { TickWindow } from './tick-window.js';

class RollingVwap implements Calculation {
  readonly #prices: TickWindow;
  readonly #volumes: TickWindow;
  readonly #parts: number;
  readonly #source: PriceSource;
  /** The largest intermediate result of an average: if it is a safe integer, the average is exact. */
  #largest = 0;

  constructor(period: number, source: PriceSource) {
    checkPeriod(period);
    this.#parts = partsOf(source);
    this.#prices = new TickWindow(period * this.#parts);
    this.#volumes = new TickWindow(period);
    this.#source = source;
  }

  get strays(): number {
    return this.#prices.strays;
  }

  next(candle: Candle): number {
    pushSource(this.#prices, candle, this.#source);
    this.#volumes.push(candle.volume);
    if (!this.#volumes.isFull) return Number.NaN;
    if (this.#volumes.mean() === 0) return this.#prices.mean();
    const average = this.#average();
    if (Number.isSafeInteger(this.#largest)) return average;
    // A result with rounded intermediate results must not depend on the grid that earlier candles needed.
    const isCoarser = this.#prices.coarsen();
    return this.#volumes.coarsen() || isCoarser ? this.#average() : average;
  }

  #average(): number {
    const prices = candleSums(this.#prices, this.#parts);
    const volumes = this.#volumes.values();
    let notional = 0;
    let volume = 0;
    for (let at = 0; at < volumes.length; at += 1) {
      notional += (prices[at] as number) * (volumes[at] as number);
      volume += volumes[at] as number;
    }
    const divisor = volume * this.#parts * this.#prices.scale;
    this.#largest = Math.max(notional, divisor);
    return notional / divisor;
  }
}

/**
 * Volume-weighted average price of the last `period` candles, in quote; in a window without volume all candles weigh the same.
 * In ticks and lots it is an exact quotient as long as the notional of the window stays below 2^53; beyond, it is float64, oldest first.
 *
 * TA-Lib has no VWAP, and the VWAP of trading-signals never drops a candle.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function vwap(period: number, source: PriceSource = 'hlc3'): Indicator {
  return new CalculatedIndicator({
    name: `vwap ${String(period)} ${source}`,
    lookback: period - 1,
    isWindowed: true,
    isOfClose: false,
    create: () => new RollingVwap(period, source),
  });
}
