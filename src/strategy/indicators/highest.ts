import type { Indicator, PriceSource } from '../indicator.js';
import { rollingExtreme } from './rolling-extreme.js';

/**
 * Highest of the last `period` candles, this one included; compare a close with `previous` to see whether it broke out.
 *
 * Equals TA-Lib's MAX from the first value. Own code for speed: a step does not get slower with the period.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function highest(period: number, source: PriceSource = 'high'): Indicator {
  return rollingExtreme(period, 'largest', source);
}
