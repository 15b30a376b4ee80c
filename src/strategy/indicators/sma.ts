import type { Candle } from '../../domain/index.js';
import { ForeseeingIndicator } from '../foresight.js';
import { readSource, type Indicator, type PriceSource } from '../indicator.js';
import { readSources, type StoredRows, type StoredSeries } from '../stored-series.js';
import { ForeseenWindow } from './foreseen-window.js';
import { sumWindows } from './window-sums.js';

class SimpleMovingAverage extends ForeseeingIndicator {
  readonly lookback: number;
  readonly #window: ForeseenWindow;
  readonly #source: PriceSource;

  constructor(period: number, source: PriceSource) {
    super({
      name: `sma ${String(period)} ${source}`,
      isWindowed: true,
      isOfClose: source === 'close',
      create: () => new SimpleMovingAverage(period, source),
    });
    this.#window = new ForeseenWindow(period);
    this.#source = source;
    this.lookback = period - 1;
  }

  protected override next(candle: Candle): number {
    return this.#window.push(readSource(candle, this.#source)) / this.#window.length;
  }

  protected override prepare(rows: StoredRows): void {
    if (this.#window.needsForesight) this.#window.foresee(readSources(rows, this.#source));
  }

  /** Sums many windows at once, each as {@link next} would. */
  protected override valuesOf(series: StoredSeries): Float64Array {
    const { length } = this.#window;
    const values = readSources(series, this.#source);
    const sums = new Float64Array(values.length);
    sumWindows({ values, sums }, length, { first: this.lookback, end: values.length });
    for (let row = 0; row < sums.length; row += 1) sums[row] = (sums[row] as number) / length;
    return sums;
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
