import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculated-indicator.js';
import type { Calculation } from '../calculation.js';
import type { Indicator, PriceSource } from '../indicator.js';
import { checkPeriod } from './period.js';
import { partsOf, pushSource } from './source-reader.js';
import { TickWindow } from './tick-window.js';

class SimpleMovingAverage implements Calculation {
  readonly #window: TickWindow;
  readonly #source: PriceSource;

  constructor(period: number, source: PriceSource) {
    checkPeriod(period);
    this.#window = new TickWindow(period * partsOf(source));
    this.#source = source;
  }

  get strays(): number {
    return this.#window.strays;
  }

  next(candle: Candle): number {
    const window = this.#window;
    // Nearly all there are, with every candle.
    if (this.#source === 'close') return window.meanWith(candle.close);
    pushSource(window, candle, this.#source);
    return window.mean();
  }
}

/**
 * Simple moving average of `period` candles: the sum in ticks, which is exact, divided once. Equal averages are equal numbers, also of different
 * periods. Where numbers lie on no tick grid they are summed afresh as float64, oldest first.
 *
 * Equals TA-Lib's SMA from the first value within float rounding (TA-Lib keeps a running sum).
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function sma(period: number, source: PriceSource = 'close'): Indicator {
  return new CalculatedIndicator({
    name: `sma ${String(period)} ${source}`,
    lookback: period - 1,
    isWindowed: true,
    isOfClose: source === 'close',
    create: () => new SimpleMovingAverage(period, source),
  });
}
