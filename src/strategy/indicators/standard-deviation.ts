import type { Candle } from '../../domain/index.js';
import { ForeseeingIndicator } from '../foresight.js';
import { readSource, type Indicator, type PriceSource } from '../indicator.js';
import { Window } from './window.js';

class StandardDeviation extends ForeseeingIndicator {
  readonly lookback: number;
  readonly #window: Window;
  readonly #source: PriceSource;

  constructor(period: number, source: PriceSource) {
    super({
      name: `standardDeviation ${String(period)} ${source}`,
      isWindowed: true,
      isOfClose: source === 'close',
      create: () => new StandardDeviation(period, source),
    });
    this.#window = new Window(period);
    this.#source = source;
    this.lookback = period - 1;
  }

  protected override next(candle: Candle): number {
    this.#window.push(readSource(candle, this.#source));
    return this.#window.standardDeviation();
  }
}

/**
 * Population standard deviation (divided by `period`, not by one less) of `period` candles, in the unit of the source.
 *
 * Equals TA-Lib's STDDEV from the first value; TA-Lib loses digits where the deviation is small against the price. Ours, because
 * trading-signals makes two arrays for each candle.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function standardDeviation(period: number, source: PriceSource = 'close'): Indicator {
  return new StandardDeviation(period, source);
}
