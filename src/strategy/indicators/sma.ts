import type { Candle } from '../../domain/index.js';
import { Indicator, readSource, type PriceSource } from '../indicator.js';
import { Window } from './window.js';

class SimpleMovingAverage extends Indicator {
  readonly lookback: number;
  readonly #window: Window;
  readonly #source: PriceSource;

  constructor(period: number, source: PriceSource) {
    super();
    this.#window = new Window(period);
    this.#source = source;
    this.lookback = period - 1;
  }

  protected override next(candle: Candle): number {
    this.#window.push(readSource(candle, this.#source));
    return this.#window.mean();
  }
}

/**
 * Simple moving average of `period` candles. Its window is summed afresh, oldest first, so equal windows have equal averages.
 *
 * Equals TA-Lib's SMA from the first value within float rounding (TA-Lib keeps a running sum).
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function sma(period: number, source: PriceSource = 'close'): Indicator {
  return new SimpleMovingAverage(period, source);
}
