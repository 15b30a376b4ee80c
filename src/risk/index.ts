export type { RiskAccount } from './account.js';
export { assess } from './assess.js';
export { PROTECTION_CHECKS, VENUE_CHECKS, type CheckName } from './check-names.js';
export { liquidationOnTick } from './checks/liquidation-check.js';
export type { RiskCheck } from './checks/risk-check.js';
export type { GuardedPolicy } from './guarded-policy.js';
export { readAmount } from './amount.js';
export { canStandAlone, smallestQuantity } from './minimum.js';
export { valueOfOne } from './money.js';
export { listChecks, type ActiveCheck } from './list-checks.js';
export type { OrderDraft } from './order-draft.js';
export {
  DEFAULT_RISK_POLICY,
  DUST_POLICIES,
  TOO_LARGE_POLICIES,
  type DustPolicy,
  type RiskPolicy,
  type TooLargePolicy,
} from './policy.js';
export type { OrderProposal } from './proposal.js';
export { Refused, written, type RefusalGrounds } from './refusal.js';
export { readPart } from './share.js';
export { createGuards } from './protections/create-guards.js';
export type { EntryGuard } from './protections/entry-guard.js';
export { foldProtections, type ProtectionStep } from './protections/fold-protections.js';
export type { ProtectionConfig, TradingHours } from './protections/protection-config.js';
export {
  INITIAL_PROTECTION_STATE,
  type Degradation,
  type EquityPeak,
  type OperatorCommand,
  type ProtectionState,
  type RiskStateEvent,
} from './protections/protection-state.js';
export type { Exposure, ProtectionView } from './protections/protection-view.js';
