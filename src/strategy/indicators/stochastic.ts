import type { Candle } from '../../domain/index.js';
import { declareParts } from '../calculation/precompute.js';
import type { AnyIndicator, Indicator } from '../indicator.js';
import { requireKeys } from '../option-keys.js';
import { highest } from './highest.js';
import { lowest } from './lowest.js';
import { OutputLine, type IndicatorLine } from './output-line.js';
import { checkPeriod } from './period.js';
import { TickWindow } from './tick-window.js';
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

class StochasticOscillator implements Stochastic {
  readonly lookback: number;
  readonly k = new OutputLine();
  readonly d = new OutputLine();
  readonly #highest: Indicator;
  readonly #lowest: Indicator;
  /** Lowest low, close and highest high. With this weight, 100 times the distance of two of them is exact too. */
  readonly #range = new TickWindow(3, 200);
  readonly #places: Window;
  readonly #averages: Window;

  constructor({ period = 14, smoothK = 3, smoothD = 3 }: StochasticOptions) {
    checkPeriod(period);
    checkPeriod(smoothK, 'smoothK');
    checkPeriod(smoothD, 'smoothD');
    this.#highest = highest(period);
    this.#lowest = lowest(period);
    declareParts(this, [this.#highest, this.#lowest]);
    this.#places = new Window(smoothK);
    this.#averages = new Window(smoothD);
    this.lookback = period - 1 + (smoothK - 1) + (smoothD - 1);
  }

  update(candle: Candle): void {
    this.#highest.update(candle);
    this.#lowest.update(candle);
    if (this.#highest.isReady) this.#places.push(this.#placeOf(candle.close));
    const k = this.#places.mean();
    if (!Number.isNaN(k)) this.#averages.push(k);
    const d = this.#averages.mean();
    this.k.push(Number.isNaN(d) ? Number.NaN : k);
    this.d.push(d);
  }

  /** Place of the close within the range, 0 to 100. Computed in ticks, so that equal places are equal numbers. */
  #placeOf(close: number): number {
    const range = this.#range;
    range.push(this.#lowest.value);
    range.push(close);
    range.push(this.#highest.value);
    const [bottom = Number.NaN, price = Number.NaN, top = Number.NaN] = range.values();
    return top === bottom ? 50 : (100 * (price - bottom)) / (top - bottom);
  }
}

/**
 * Stochastic oscillator: where the close is within the range of `period` candles, averaged twice by simple averages. On a tick grid a place is a
 * quotient of exact integers; its averages are float64, oldest first.
 *
 * Equals TA-Lib's STOCH from the first value, except if the range is 0: then 50, neither overbought nor oversold (TA-Lib gives 0).
 * Own code, because trading-signals makes two arrays for each candle.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the periods are whole numbers from 1 to 1,000,000; `E_INDICATOR_OPTION` for an unknown option.
 */
export function stochastic(options: StochasticOptions = {}): Stochastic {
  requireKeys('stochastic', options, ['period', 'smoothK', 'smoothD']);
  return new StochasticOscillator(options);
}
