import type { Candle } from '../../domain/index.js';
import type { AnyIndicator } from '../indicator.js';
import { highest } from './highest.js';
import { lowest } from './lowest.js';
import { OutputLine, type IndicatorLine } from './output-line.js';

/** Three lines in quote. A close breaks out where it is beyond a line's `previous`: the line itself holds this candle too. */
export interface DonchianChannel extends AnyIndicator {
  /** Highest high. */
  readonly upper: IndicatorLine;
  /** Half way between the two. */
  readonly middle: IndicatorLine;
  /** Lowest low. */
  readonly lower: IndicatorLine;
}

class RollingDonchianChannel implements DonchianChannel {
  readonly lookback: number;
  readonly upper;
  readonly middle = new OutputLine();
  readonly lower;

  constructor(period: number) {
    this.upper = highest(period);
    this.lower = lowest(period);
    this.lookback = this.upper.lookback;
  }

  update(candle: Candle): void {
    this.upper.update(candle);
    this.lower.update(candle);
    this.middle.push((this.upper.value + this.lower.value) / 2);
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
