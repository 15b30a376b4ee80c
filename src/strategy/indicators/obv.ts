import type { Candle } from '../../domain/index.js';
import { Indicator } from '../indicator.js';
import { NEVER } from './convergence.js';

class OnBalanceVolume extends Indicator {
  readonly lookback = 0;
  override readonly convergence = NEVER;
  #close = Number.NaN;

  protected override next(candle: Candle): number {
    const change = candle.close - this.#close;
    this.#close = candle.close;
    if (Number.isNaN(change)) return candle.volume;
    // `update` has moved the last value to `previous` but not replaced `value` yet.
    return this.value + Math.sign(change) * candle.volume;
  }
}

/**
 * On-balance volume, in the unit of the candles' volume: adds the volume if the close rises, subtracts it if the close falls. Only its
 * changes mean something; its level depends on the first candle.
 *
 * Equals TA-Lib's OBV, which starts with the first candle's volume. Own code, because trading-signals starts with the second candle.
 */
export function obv(): Indicator {
  return new OnBalanceVolume();
}
