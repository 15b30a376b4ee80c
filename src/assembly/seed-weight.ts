import type { StreamWarmup } from '../engine/index.js';
import { seedWeight } from '../strategy/index.js';

/**
 * The greatest weight that what one of the indicators began from has after so many candles, for a text: 35 % of RSI(14) 14 candles after its first value.
 * Those that never forget are left out: they wait for nothing.
 */
export function describeWeight(recursive: StreamWarmup['recursive'], candles: number): string {
  const weights = recursive
    .filter(({ convergence }) => Number.isFinite(convergence))
    .map((indicator) => seedWeight(indicator, candles));
  return `${Number((100 * Math.max(0, ...weights)).toPrecision(2)).toString()} %`;
}
