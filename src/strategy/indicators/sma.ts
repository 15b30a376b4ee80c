import type { Candle } from '../../domain/index.js';
import { ForeseeingIndicator, readSources, type StoredRows } from '../foresight.js';
import { readSource, type Indicator, type PriceSource } from '../indicator.js';
import { ForeseenWindow } from './foreseen-window.js';

class SimpleMovingAverage extends ForeseeingIndicator {
  readonly lookback: number;
  readonly #window: ForeseenWindow;
  readonly #source: PriceSource;

  constructor(period: number, source: PriceSource) {
    super();
    this.#window = new ForeseenWindow(period);
    this.#source = source;
    this.lookback = period - 1;
  }

  protected override next(candle: Candle): number {
    return this.#window.push(readSource(candle, this.#source)) / this.#window.length;
  }

  override foresee(rows: StoredRows): void {
    if (this.#window.needsForesight) this.#window.foresee(readSources(rows, this.#source));
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
