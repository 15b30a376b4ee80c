import type { Candle } from '../../domain/index.js';
import { ForeseeingIndicator } from '../foresight.js';
import { readSource, type Indicator, type PriceSource } from '../indicator.js';
import { SmoothedAverage } from './smoothed-average.js';

class RelativeStrengthIndex extends ForeseeingIndicator {
  readonly lookback: number;
  readonly #gains: SmoothedAverage;
  readonly #losses: SmoothedAverage;
  readonly #source: PriceSource;
  #price = Number.NaN;

  constructor(period: number, source: PriceSource) {
    super({
      name: `rsi ${String(period)} ${source}`,
      isWindowed: false,
      isOfClose: source === 'close',
      create: () => new RelativeStrengthIndex(period, source),
    });
    this.#gains = SmoothedAverage.wilder(period);
    this.#losses = SmoothedAverage.wilder(period);
    this.#source = source;
    this.lookback = period;
  }

  protected override next(candle: Candle): number {
    const price = readSource(candle, this.#source);
    const change = price - this.#price;
    this.#price = price;
    if (Number.isNaN(change)) return Number.NaN;
    const gain = this.#gains.next(Math.max(change, 0));
    const total = gain + this.#losses.next(Math.max(-change, 0));
    return total === 0 ? 50 : (100 * gain) / total;
  }
}

/**
 * Relative strength index, 0 to 100: the share of gains in all movement, both smoothed as Wilder does.
 *
 * Equals TA-Lib's RSI from the first value, except where price never moved: 50, neither overbought nor oversold (TA-Lib says 0,
 * trading-signals 100).
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function rsi(period = 14, source: PriceSource = 'close'): Indicator {
  return new RelativeStrengthIndex(period, source);
}
