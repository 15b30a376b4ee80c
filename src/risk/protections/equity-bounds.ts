import type { Fixed } from '../../domain/index.js';
import { tighterLimit } from './loss-limits.js';
import type { ProtectionConfig } from './protection-config.js';
import type { ProtectionState } from './protection-state.js';

/** A sample of equity at or below `low` halts, and one at or above `high` is a new high. In the equity currency. */
export interface EquityBounds {
  /** Undefined if no loss halts. */
  readonly low: Fixed | undefined;
  readonly high: Fixed;
}

/**
 * The bounds between which, within one day, a sample of equity changes nothing but the last known equity. Undefined if each sample counts: before the first, and
 * if highs leave a window.
 */
export function equityBounds(
  { equity, dayEquity, peaks }: ProtectionState,
  config: ProtectionConfig,
): EquityBounds | undefined {
  const [top] = peaks;
  if (equity === undefined || dayEquity === undefined || top === undefined) return undefined;
  if (config.drawdownWindowMs !== undefined) return undefined;
  const ofDay = tighterLimit(dayEquity, config.maxDailyLoss, config.maxDailyLossRatio);
  const ofHigh = tighterLimit(top.equity, config.maxDrawdown, config.maxDrawdownRatio);
  const lowest = [
    ...(ofDay === undefined ? [] : [dayEquity - ofDay]),
    ...(ofHigh === undefined ? [] : [top.equity - ofHigh]),
  ];
  const low = lowest.reduce<Fixed | undefined>(
    (highest, one) => (highest === undefined || one > highest ? one : highest),
    undefined,
  );
  return { low, high: top.equity };
}
