import { TR } from 'trading-signals';
import type { Candle } from '../../domain/index.js';
import { Indicator } from '../indicator.js';

class TrueRange extends Indicator {
  readonly lookback = 1;
  readonly #series = new TR();
  #hasPrevious = false;

  protected override next(candle: Candle): number {
    const range = this.#series.update(candle, false);
    if (this.#hasPrevious) return range;
    this.#hasPrevious = true;
    return Number.NaN;
  }
}

/**
 * True range, in quote: the distance from high to low, or from the previous close to the high or low if that is larger.
 *
 * Source: trading-signals, without its value for the first candle, which has no previous close. Equals TA-Lib's TRANGE.
 */
export function trueRange(): Indicator {
  return new TrueRange();
}
