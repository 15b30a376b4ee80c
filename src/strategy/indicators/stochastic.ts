import type { Candle } from '../../domain/index.js';
import { PARTS, type CompositeIndicator } from '../foresight.js';
import type { AnyIndicator, Indicator } from '../indicator.js';
import { highest } from './highest.js';
import { lowest } from './lowest.js';
import { OutputLine, type IndicatorLine } from './output-line.js';
import { checkPeriod } from './period.js';
import { Window } from './window.js';

export interface StochasticOptions {
  /** Candles of the range. @defaultValue 14 */
  readonly period?: number;
  /** Candles of the average that makes `k`; 1 for the fast stochastic. @defaultValue 3 */
  readonly smoothK?: number;
  /** Candles of the average of `k` that makes `d`. @defaultValue 3 */
  readonly smoothD?: number;
}

/** Two lines, 0 to 100, that start together. */
export interface Stochastic extends AnyIndicator {
  /** Average place of the close within the range: 100 at the high, 0 at the low. */
  readonly k: IndicatorLine;
  /** Average of `k`. */
  readonly d: IndicatorLine;
}

class StochasticOscillator implements Stochastic, CompositeIndicator {
  readonly lookback: number;
  readonly k = new OutputLine();
  readonly d = new OutputLine();
  readonly [PARTS]: readonly Indicator[];
  readonly #highest: Indicator;
  readonly #lowest: Indicator;
  readonly #places: Window;
  readonly #averages: Window;

  constructor({ period = 14, smoothK = 3, smoothD = 3 }: StochasticOptions) {
    checkPeriod(period);
    checkPeriod(smoothK, 'smoothK');
    checkPeriod(smoothD, 'smoothD');
    this.#highest = highest(period);
    this.#lowest = lowest(period);
    this[PARTS] = [this.#highest, this.#lowest];
    this.#places = new Window(smoothK);
    this.#averages = new Window(smoothD);
    this.lookback = period - 1 + (smoothK - 1) + (smoothD - 1);
  }

  update(candle: Candle): void {
    this.#highest.update(candle);
    this.#lowest.update(candle);
    if (this.#highest.isReady) {
      const bottom = this.#lowest.value;
      const range = this.#highest.value - bottom;
      this.#places.push(range === 0 ? 50 : (100 * (candle.close - bottom)) / range);
    }
    const k = this.#places.mean();
    if (!Number.isNaN(k)) this.#averages.push(k);
    const d = this.#averages.mean();
    this.k.push(Number.isNaN(d) ? Number.NaN : k);
    this.d.push(d);
  }
}

/**
 * Stochastic oscillator: where the close is within the range of `period` candles, averaged twice by simple averages.
 *
 * Equals TA-Lib's STOCH from the first value, except where there is no range: 50, neither overbought nor oversold (TA-Lib says 0).
 * Ours, because trading-signals makes two arrays for each candle.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the periods are whole numbers from 1 to 1,000,000.
 */
export function stochastic(options: StochasticOptions = {}): Stochastic {
  return new StochasticOscillator(options);
}
