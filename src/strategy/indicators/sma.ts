import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation, CloseCalculation } from '../calculation/calculation.js';
import type { Indicator, PriceSource } from '../indicator.js';
import { checkPeriod } from './period.js';
import { partsOf, pushSource } from './source-reader.js';
import { TickWindow } from './tick-window.js';

class AverageOfCloses implements CloseCalculation {
  readonly #window: TickWindow;

  constructor(window: TickWindow) {
    this.#window = window;
  }

  get strays(): number {
    return this.#window.strays;
  }

  next({ close }: Candle): number {
    return this.#window.meanWith(close);
  }

  nextOfCloses(...closes: Parameters<TickWindow['meansWith']>): void {
    this.#window.meansWith(...closes);
  }

  copy(): AverageOfCloses {
    return new AverageOfCloses(this.#window.copy());
  }
}

class AverageOfSource implements Calculation {
  readonly #window: TickWindow;
  readonly #source: PriceSource;

  constructor(window: TickWindow, source: PriceSource) {
    this.#window = window;
    this.#source = source;
  }

  get strays(): number {
    return this.#window.strays;
  }

  next(candle: Candle): number {
    pushSource(this.#window, candle, this.#source);
    return this.#window.mean();
  }
}

function createAverage(period: number, source: PriceSource): Calculation {
  checkPeriod(period);
  const window = new TickWindow(period * partsOf(source));
  return source === 'close' ? new AverageOfCloses(window) : new AverageOfSource(window, source);
}

/**
 * Simple moving average of `period` candles: the sum in ticks, which is exact, divided once. Equal averages are equal numbers, also of different
 * periods. Numbers that lie on no tick grid are summed anew for each value as float64, oldest first.
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
    create: () => createAverage(period, source),
  });
}
