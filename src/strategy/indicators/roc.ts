import { ROC } from 'trading-signals';
import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator, PriceSource } from '../indicator.js';
import { checkPeriod } from './period.js';
import { SourceReader } from './source-reader.js';

class RateOfChange implements Calculation {
  readonly #series: ROC;
  readonly #reader: SourceReader;

  constructor(period: number, source: PriceSource) {
    checkPeriod(period);
    this.#series = new ROC(period);
    this.#reader = new SourceReader(source);
  }

  get strays(): number {
    return this.#reader.strays;
  }

  next(candle: Candle): number {
    const ratio = this.#series.update(this.#reader.read(candle), false);
    if (ratio === null) return Number.NaN;
    // The older value was 0, as a volume may be: no ratio, and an infinite one would stay in every average of it.
    return Number.isFinite(ratio) ? ratio * 100 : 0;
  }
}

/**
 * Rate of change over `period` candles, in percent: 2 means 2 % higher than `period` candles ago; 0 if the value was 0 then, as volumes may be.
 *
 * Source: trading-signals (there a fraction). Equals TA-Lib's ROC from the first value.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function roc(period: number, source: PriceSource = 'close'): Indicator {
  return new CalculatedIndicator({
    name: `roc ${String(period)} ${source}`,
    lookback: period,
    isWindowed: true,
    isOfClose: source === 'close',
    create: () => new RateOfChange(period, source),
  });
}
