import type { Indicator, PriceSource } from '../indicator.js';
import { rollingExtreme } from './rolling-extreme.js';

/**
 * Lowest of the last `period` candles, this one included; compare a close with `previous` to see whether it broke out.
 *
 * Equals TA-Lib's MIN from the first value. Own code for speed: a step does not get slower with the period.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000.
 */
export function lowest(period: number, source: PriceSource = 'low'): Indicator {
  return rollingExtreme(period, 'smallest', source);
}
