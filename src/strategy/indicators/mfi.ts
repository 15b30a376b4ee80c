import type { Candle } from '../../domain/index.js';
import { CalculatedIndicator } from '../calculation/calculated-indicator.js';
import type { Calculation } from '../calculation/calculation.js';
import type { Indicator } from '../indicator.js';
import { checkPeriod } from './period.js';
import { SourceReader } from './source-reader.js';
import { Window } from './window.js';

class MoneyFlowIndex implements Calculation {
  readonly #reader = new SourceReader('hlc3');
  readonly #inflows: Window;
  readonly #outflows: Window;
  #price = Number.NaN;

  constructor(period: number) {
    checkPeriod(period);
    this.#inflows = new Window(period);
    this.#outflows = new Window(period);
  }

  get strays(): number {
    return this.#reader.strays;
  }

  next(candle: Candle): number {
    const price = this.#reader.read(candle);
    const change = price - this.#price;
    this.#price = price;
    if (Number.isNaN(change)) return Number.NaN;
    const flow = price * candle.volume;
    this.#inflows.push(change > 0 ? flow : 0);
    this.#outflows.push(change < 0 ? flow : 0);
    if (!this.#inflows.isFull) return Number.NaN;
    const inflow = this.#inflows.sum();
    const total = inflow + this.#outflows.sum();
    return total === 0 ? 50 : (100 * inflow) / total;
  }
}

/**
 * Money flow index, 0 to 100: the share of volume × typical price that falls on candles with a rising typical price. Each value is summed
 * anew, oldest candle first.
 *
 * Equals TA-Lib's MFI from the first value, except in a window without flow, which is 50 here; TA-Lib gives 0 if the flow is
 * below 1, which is common if the quote is a coin. Own code, because trading-signals makes an array for each candle.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function mfi(period = 14): Indicator {
  return new CalculatedIndicator({
    name: `mfi ${String(period)}`,
    lookback: period,
    isWindowed: true,
    isOfClose: false,
    create: () => new MoneyFlowIndex(period),
  });
}
