import type { Refusal, ResolvedRules, RiskChange, RiskDecision } from '../domain/index.js';
import type { RiskAccount } from './account.js';
import { ADMISSION_CHECKS } from './admission.js';
import { approveLegs } from './approve.js';
import { sufficientBalance } from './checks/balance-check.js';
import { leverageTier } from './checks/leverage-check.js';
import { minOrderMoney, minOrderQuantity } from './checks/minimum-checks.js';
import type { RiskCheck } from './checks/risk-check.js';
import { draftOrder } from './draft.js';
import type { GuardedPolicy } from './guarded-policy.js';
import { fitLegs } from './legs.js';
import type { OrderDraft } from './order-draft.js';
import type { OrderProposal } from './proposal.js';
import { createRefusal, isRefusal, refused } from './refusal.js';

/**
 * In the order they are asked. The balance is compared before a maximum clamps the order: otherwise a tighter maximum could make an
 * order pass that did not pass before.
 */
export const DRAFT_CHECKS: readonly RiskCheck[] = [
  minOrderQuantity,
  minOrderMoney,
  leverageTier,
  sufficientBalance,
];

const NO_GUARDS: readonly RiskCheck[] = [];

/**
 * Turns a proposal into approved orders on the venue's grid, or a refusal that says why; the only way to an order, in backtest, paper
 * and live alike.
 *
 * Pure and total: whatever a strategy writes as a size or a price ends in a verdict, never in an exception. `rules` are those in
 * force now; undefined means the instrument is unknown.
 * @example see test/unit/risk/assess-spot.test.ts "spends a notional as a MARKET quote amount"
 */
export function assess(
  proposal: OrderProposal,
  rules: ResolvedRules | undefined,
  account: RiskAccount,
  policy: GuardedPolicy,
): RiskDecision {
  if (rules === undefined) return refused(refuseUnknown(proposal));
  for (const admission of ADMISSION_CHECKS) {
    const refusal = admission.check(proposal, rules, account);
    if (refusal !== undefined) return refused(refusal);
  }
  const draft = draftOrder(proposal, rules, account, policy);
  if (isRefusal(draft)) return refused(draft);
  const guards = proposal.action === 'open' ? (policy.guards ?? NO_GUARDS) : NO_GUARDS;
  const terms = { rules, account, policy };
  const refusal = firstRefusal(DRAFT_CHECKS, draft, terms) ?? firstRefusal(guards, draft, terms);
  if (refusal !== undefined) return refused(refusal);
  const legs = fitLegs(draft, rules, account, policy);
  if (isRefusal(legs)) return refused(legs);
  const orders = approveLegs(draft, legs.sent);
  if (isRefusal(orders)) return refused(orders);
  return { kind: 'approved', orders, changes: joinChanges(draft.changes, legs.changes) };
}

function firstRefusal(
  checks: readonly RiskCheck[],
  draft: OrderDraft,
  terms: {
    readonly rules: ResolvedRules;
    readonly account: RiskAccount;
    readonly policy: GuardedPolicy;
  },
): Refusal | undefined {
  const { rules, account, policy } = terms;
  for (const limit of checks) {
    const refusal = limit.check(draft, rules, account, policy);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function joinChanges(
  first: readonly RiskChange[],
  then: readonly RiskChange[],
): readonly RiskChange[] {
  return then.length === 0 ? first : [...first, ...then];
}

function refuseUnknown({ instrument }: OrderProposal): Refusal {
  return createRefusal({
    check: 'no-rules',
    limit: 'rules of the venue',
    actual: 'none',
    unit: 'record',
    text: `no trading rules of ${instrument.id} are known: give them under simulation.rules, or load the venue's records`,
  });
}
