import type { StreamWarmup } from '../engine/index.js';
import { seedWeight } from '../strategy/index.js';

/**
 * Describes the greatest weight that the beginning of any of the indicators still has after `candles` candles: 35 % for RSI(14) 14 candles after its first
 * value. Indicators that never forget their beginning are left out, because no warm-up helps them.
 */
export function describeWeight(recursive: StreamWarmup['recursive'], candles: number): string {
  const weights = recursive
    .filter(({ convergence }) => Number.isFinite(convergence))
    .map((indicator) => seedWeight(indicator, candles));
  return `${Number((100 * Math.max(0, ...weights)).toPrecision(2)).toString()} %`;
}
