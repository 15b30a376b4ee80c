import type { Candle } from '../../domain/index.js';
import { declareParts } from '../calculation/precompute.js';
import type { AnyIndicator, Indicator } from '../indicator.js';
import { highest } from './highest.js';
import { lowest } from './lowest.js';
import { OutputLine, type IndicatorLine } from './output-line.js';
import { TickWindow } from './tick-window.js';

/** Three lines in quote. To find a breakout, compare a close with a line's `previous`: its `value` already includes this candle. */
export interface DonchianChannel extends AnyIndicator {
  /** Highest high. */
  readonly upper: IndicatorLine;
  /** Mean of `upper` and `lower`. */
  readonly middle: IndicatorLine;
  /** Lowest low. */
  readonly lower: IndicatorLine;
}

class RollingDonchianChannel implements DonchianChannel {
  readonly lookback: number;
  readonly upper: Indicator;
  readonly middle = new OutputLine();
  readonly lower: Indicator;
  readonly #bounds = new TickWindow(2);

  constructor(period: number) {
    this.upper = highest(period);
    this.lower = lowest(period);
    declareParts(this, [this.upper, this.lower]);
    this.lookback = this.upper.lookback;
  }

  update(candle: Candle): void {
    this.upper.update(candle);
    this.lower.update(candle);
    if (!this.upper.isReady) return;
    this.#bounds.push(this.upper.value);
    this.#bounds.push(this.lower.value);
    this.middle.push(this.#bounds.mean());
  }
}

/**
 * Donchian channel: {@link highest} high and {@link lowest} low of the last `period` candles, this one included.
 *
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function donchian(period = 20): DonchianChannel {
  return new RollingDonchianChannel(period);
}
