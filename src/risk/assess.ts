import type { ResolvedRules, RiskDecision } from '../domain/index.js';
import type { RiskAccount } from './account.js';
import { refuseAdmission } from './admission.js';
import { approveLegs, approveWhole } from './approve.js';
import { sufficientBalance } from './checks/balance-check.js';
import { leverageTier } from './checks/leverage-check.js';
import { stopBeforeLiquidation } from './checks/liquidation-check.js';
import { minOrderMoney, minOrderQuantity } from './checks/minimum-checks.js';
import { selfTrade } from './checks/self-trade-check.js';
import { draftEntry } from './entry.js';
import { draftExit } from './exit.js';
import type { GuardedPolicy } from './guarded-policy.js';
import { fitLegs } from './legs/legs.js';
import type { OrderDraft } from './order-draft.js';
import type { OrderProposal } from './proposal.js';
import { createRefusal, unknownRules, type Refused } from './refusal.js';
import { settleTerms } from './terms.js';

/**
 * Turns a proposal into approved orders on the venue's grid, or into a refusal with its reason. It is the only way to an order, in backtest, paper
 * and live alike.
 *
 * Pure and total: any size or price that a strategy writes leads to a verdict, never to an exception. `rules` are those in force now; undefined means
 * that the instrument is unknown.
 * @example see test/unit/risk/assess-spot.test.ts "spends a notional as a MARKET quote amount"
 */
export function assess(
  proposal: OrderProposal,
  rules: ResolvedRules | undefined,
  account: RiskAccount,
  policy: GuardedPolicy,
): RiskDecision {
  if (rules === undefined) return refuseUnknown(proposal);
  const refusal = refuseAdmission(proposal, rules, account);
  if (refusal !== undefined) return refusal;
  // Refusals are recognized inline: a shared function would see too many object shapes to be fast.
  const terms = settleTerms(proposal, rules, account, policy);
  if ('check' in terms) return terms;
  const isEntry = proposal.action === 'open';
  const draft = isEntry ? draftEntry(terms, account, policy) : draftExit(terms, account, policy);
  if ('check' in draft) return draft;
  const found =
    refuseDraft(draft, rules, account, policy) ??
    (isEntry ? refuseByGuard(draft, rules, account, policy) : undefined);
  if (found !== undefined) return found;
  const legs = fitLegs(draft, rules, account, policy);
  if (legs === undefined) return approveWhole(draft, policy);
  return 'check' in legs ? legs : approveLegs(draft, legs);
}

/**
 * Runs the checks in order. The balance is compared before a maximum clamps the order. Otherwise a tighter maximum could let an order pass that did
 * not pass before.
 */
function refuseDraft(
  draft: OrderDraft,
  rules: ResolvedRules,
  account: RiskAccount,
  policy: GuardedPolicy,
): Refused | undefined {
  return (
    selfTrade.check(draft, rules, account, policy) ??
    minOrderQuantity.check(draft, rules) ??
    minOrderMoney.check(draft, rules) ??
    leverageTier.check(draft, rules, account, policy) ??
    sufficientBalance.check(draft, rules, account, policy) ??
    stopBeforeLiquidation.check(draft, rules, account, policy)
  );
}

/** Runs the operator's protections, which only guard entries. */
function refuseByGuard(
  draft: OrderDraft,
  rules: ResolvedRules,
  account: RiskAccount,
  policy: GuardedPolicy,
): Refused | undefined {
  if (policy.guards === undefined) return undefined;
  for (const guard of policy.guards) {
    const refusal = guard.check(draft, rules, account, policy);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function refuseUnknown({ instrument }: OrderProposal): Refused {
  return createRefusal(unknownRules(instrument.id));
}
