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
  const { maxDailyLoss, maxDailyLossRatio, maxDrawdown, maxDrawdownRatio } = config;
  const ofDay = below(dayEquity, tighterLimit(dayEquity, maxDailyLoss, maxDailyLossRatio));
  const ofHigh = below(top.equity, tighterLimit(top.equity, maxDrawdown, maxDrawdownRatio));
  const low = ofDay === undefined || (ofHigh !== undefined && ofHigh > ofDay) ? ofHigh : ofDay;
  return { low, high: top.equity };
}

function below(equity: Fixed, loss: Fixed | undefined): Fixed | undefined {
  return loss === undefined ? undefined : equity - loss;
}
