import { KAMA } from 'trading-signals';
import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator, PriceSource } from '../indicator.js';
import { convergenceOf, exponentialWeight } from './convergence.js';
import { checkPeriod } from './period.js';
import { SourceReader } from './source-reader.js';

/** Slowest case: if price moves sideways, a candle weighs the square of its weight in an exponential average of 30. */
const SLOWEST = convergenceOf(exponentialWeight(30) ** 2);

class KaufmanAdaptiveMovingAverage implements Calculation {
  readonly #series: KAMA;
  readonly #reader: SourceReader;
  #seeding: number;

  constructor(period: number, source: PriceSource) {
    checkPeriod(period);
    this.#series = new KAMA(period);
    this.#reader = new SourceReader(source);
    this.#seeding = period;
  }

  get strays(): number {
    return this.#reader.strays;
  }

  next(candle: Candle): number {
    const average = this.#series.update(this.#reader.read(candle), false);
    if (this.#seeding > 0) {
      // The library also gives the price it starts from; that is no average yet.
      this.#seeding -= 1;
      return Number.NaN;
    }
    return average ?? Number.NaN;
  }
}

/**
 * Kaufman's adaptive moving average: faster (down to a 2-candle exponential average) while price moves in one direction, slower if it moves
 * sideways. The last `period` candles measure this.
 *
 * Source: trading-signals, without the price it starts from. Equals TA-Lib's KAMA from the first value.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function kama(period: number, source: PriceSource = 'close'): Indicator {
  return new CalculatedIndicator({
    name: `kama ${String(period)} ${source}`,
    lookback: period,
    isWindowed: false,
    convergence: SLOWEST,
    isOfClose: source === 'close',
    create: () => new KaufmanAdaptiveMovingAverage(period, source),
  });
}
