import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator, PriceSource } from '../indicator.js';
import { convergenceOf, wilderWeight } from './convergence.js';
import { SmoothedAverage } from './smoothed-average.js';
import { SourceReader } from './source-reader.js';

class RelativeStrengthIndex implements Calculation {
  readonly #gains: SmoothedAverage;
  readonly #losses: SmoothedAverage;
  readonly #reader: SourceReader;
  #price = Number.NaN;

  constructor(period: number, source: PriceSource) {
    this.#gains = SmoothedAverage.wilder(period);
    this.#losses = SmoothedAverage.wilder(period);
    this.#reader = new SourceReader(source);
  }

  get strays(): number {
    return this.#reader.strays;
  }

  next(candle: Candle): number {
    const price = this.#reader.read(candle);
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
 * Equals TA-Lib's RSI from the first value, except if price never moved: then 50, neither overbought nor oversold (TA-Lib says 0,
 * trading-signals 100).
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function rsi(period = 14, source: PriceSource = 'close'): Indicator {
  return new CalculatedIndicator({
    name: `rsi ${String(period)} ${source}`,
    lookback: period,
    isWindowed: false,
    convergence: convergenceOf(wilderWeight(period)),
    isOfClose: source === 'close',
    create: () => new RelativeStrengthIndex(period, source),
  });
}
