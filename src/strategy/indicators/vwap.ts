import type { Candle } from '../../domain/index.js';
import { ForeseeingIndicator } from '../foresight.js';
import { readSource, type Indicator, type PriceSource } from '../indicator.js';
import { Window } from './window.js';

class RollingVwap extends ForeseeingIndicator {
  readonly lookback: number;
  readonly #prices: Window;
  readonly #notionals: Window;
  readonly #volumes: Window;
  readonly #source: PriceSource;

  constructor(period: number, source: PriceSource) {
    super({
      name: `vwap ${String(period)} ${source}`,
      isWindowed: true,
      isOfClose: source === 'close',
      create: () => new RollingVwap(period, source),
    });
    this.#prices = new Window(period);
    this.#notionals = new Window(period);
    this.#volumes = new Window(period);
    this.#source = source;
    this.lookback = period - 1;
  }

  protected override next(candle: Candle): number {
    const price = readSource(candle, this.#source);
    this.#prices.push(price);
    this.#notionals.push(price * candle.volume);
    this.#volumes.push(candle.volume);
    if (!this.#volumes.isFull) return Number.NaN;
    const volume = this.#volumes.sum();
    return volume === 0 ? this.#prices.mean() : this.#notionals.sum() / volume;
  }
}

/**
 * Volume-weighted average price of the last `period` candles, in quote; in a window without volume all candles weigh the same.
 * Summed afresh, oldest first.
 *
 * TA-Lib has none, and that of trading-signals never forgets a candle.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function vwap(period: number, source: PriceSource = 'hlc3'): Indicator {
  return new RollingVwap(period, source);
}
