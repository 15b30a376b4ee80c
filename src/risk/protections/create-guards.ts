import { formatFixed } from '../../domain/index.js';
import {
  maxOpenOrders,
  maxOpenPositions,
  maxPositionQuantity,
  maxTotalOpenOrders,
  ordersPerDay,
  ordersPerMinute,
} from './count-guards.js';
import type { EntryGuard } from './entry-guard.js';
import { degraded, halted, reduceOnly } from './halt-guards.js';
import {
  maxAssetExposure,
  maxLeverage,
  maxMarginUse,
  maxNetExposure,
  maxOrderNotional,
  maxPositionNotional,
  maxTotalNotional,
} from './notional-guards.js';
import { priceBand, staleData } from './price-guards.js';
import type { ProtectionConfig } from './protection-config.js';
import type { ProtectionView } from './protection-view.js';
import { entryInterval, fundingBlock, stopCooldown, tradingHours } from './time-guards.js';
import { validateProtections } from './validate-protections.js';

/**
 * Builds the guards that a configuration turns on, in the order in which they run. Pass them to `assess` as `policy.guards`. The guards for the
 * operator's halt, the reduce-only state and the degraded state are always included.
 *
 * @throws {DomainError} `E_PROTECTION` when a limit is invalid; names its key.
 */
export function createGuards(
  config: ProtectionConfig,
  view: ProtectionView,
): readonly EntryGuard[] {
  validateProtections(config);
  const make = <T>(value: T | undefined, guard: (limit: T, view: ProtectionView) => EntryGuard) =>
    value === undefined ? [] : [guard(value, view)];
  return [
    halted(describeLossLimits(config), view),
    reduceOnly(view),
    degraded(view),
    ...make(config.tradingHours, tradingHours),
    ...make(config.fundingBlock, fundingBlock),
    ...make(config.maxPriceAgeMs, staleData),
    ...make(config.priceBand, priceBand),
    ...make(config.cooldownAfterStopMs, stopCooldown),
    ...make(config.minEntryIntervalMs, entryInterval),
    ...make(config.maxOrdersPerMinute, ordersPerMinute),
    ...make(config.maxOrdersPerDay, ordersPerDay),
    ...make(config.maxOpenOrders, maxOpenOrders),
    ...make(config.maxTotalOpenOrders, maxTotalOpenOrders),
    ...make(config.maxOpenPositions, maxOpenPositions),
    ...make(config.maxOrderNotional, maxOrderNotional),
    ...make(config.maxPositionQuantity, maxPositionQuantity),
    ...make(config.maxPositionNotional, maxPositionNotional),
    ...make(config.maxAssetExposure, maxAssetExposure),
    ...make(config.maxNetExposure, maxNetExposure),
    ...make(config.maxTotalNotional, maxTotalNotional),
    ...make(config.maxLeverage, maxLeverage),
    ...make(config.maxMarginUse, maxMarginUse),
  ];
}

/** The limits that halt when they are reached, as text. */
function describeLossLimits(config: ProtectionConfig): string {
  const parts = [
    ...(['maxDailyLoss', 'maxDailyLossRatio', 'maxDrawdown', 'maxDrawdownRatio'] as const).map(
      (key) => {
        const limit = config[key];
        return limit === undefined ? undefined : `${key} ${formatFixed(limit)}`;
      },
    ),
    config.maxConsecutiveLosses === undefined
      ? undefined
      : `maxConsecutiveLosses ${String(config.maxConsecutiveLosses)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "the operator's command" : parts.join(', ');
}
