export type { RiskAccount } from './account.js';
export { assess } from './assess.js';
export { PROTECTION_CHECKS, VENUE_CHECKS } from './check-names.js';
export { liquidationOnTick } from './checks/liquidation-check.js';
export type { GuardedPolicy } from './guarded-policy.js';
export { readAmount } from './size/amount.js';
export { canStandAlone, smallestQuantity } from './legs/minimum.js';
export { valueOfOne } from './size/money.js';
export { listChecks, type ActiveCheck } from './list-checks.js';
export {
  DUST_POLICIES,
  TOO_LARGE_POLICIES,
  type RiskPolicy,
  type TooLargePolicy,
} from './policy.js';
export type { OrderProposal } from './proposal.js';
export { Refused, unknownRules, written, type RefusalGrounds } from './refusal.js';
export { readPart } from './size/share.js';
export { splitEvenly } from './legs/split.js';
export { createGuards } from './protections/create-guards.js';
export type { EntryGuard } from './protections/entry-guard.js';
export { equityBounds, type EquityBounds } from './protections/equity-bounds.js';
export { foldProtections } from './protections/fold-protections.js';
export type { ProtectionConfig } from './protections/protection-config.js';
export {
  INITIAL_PROTECTION_STATE,
  type Degradation,
  type HealthEvent,
  type ProtectionState,
  type RiskStateEvent,
} from './protections/protection-state.js';
export type { Exposure, ProtectionView } from './protections/protection-view.js';
