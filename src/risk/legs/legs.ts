import { amountText, formatFixed, type ResolvedRules } from '../../domain/index.js';
import type { RiskAccount } from '../account.js';
import { quantityChange } from '../size/changes.js';
import { refuseLegs } from '../checks/balance-check.js';
import { minOrderMoney, minOrderQuantity } from '../checks/minimum-checks.js';
import { fitExit, type LegLimits } from './exit-legs.js';
import { tightestMaximum, type Maximum } from './maximum.js';
import { quantityForMoney } from '../size/money.js';
import { sentStep, sentUnitName, type Legs, type OrderDraft } from '../order-draft.js';
import { largestPassing } from './passing.js';
import type { RiskPolicy } from '../policy.js';
import { advise, createRefusal, Refused } from '../refusal.js';
import { countLegs, MAX_LEGS, splitEvenly } from './split.js';
import { costOfOne } from '../terms.js';

/**
 * Fits an order under the venue's maximum and its limit of working orders: unchanged (undefined), clamped or split, as the policy says. A split entry
 * is sent whole or not at all. A split exit sends as many legs as there is room for; the rest stays in the position.
 */
export function fitLegs(
  draft: OrderDraft,
  rules: ResolvedRules,
  account: RiskAccount,
  policy: RiskPolicy,
): Legs | Refused | undefined {
  const { proposal, sent } = draft;
  const room = roomFor(draft, rules, account);
  if (room <= 0) return refuseWorking(draft, rules, account, 1n);
  const maximum = tightestMaximum(draft.terms, rules);
  if (maximum === undefined || sent <= maximum.most) return undefined;
  const isExit = proposal.action === 'close';
  const choice = isExit ? policy.tooLarge.exits : policy.tooLarge.entries;
  if (choice === 'refuse' || maximum.most === 0n) return refuseMaximum(draft, rules, maximum);
  const limits: LegLimits = { most: maximum.most, room: BigInt(room) };
  const needed = countLegs(sent, maximum.most);
  if (!isExit && choice === 'split' && needed > limits.room) {
    return needed > BigInt(MAX_LEGS)
      ? refuseMaximum(draft, rules, maximum)
      : refuseWorking(draft, rules, account, needed);
  }
  const legs = isExit
    ? fitExit(draft, rules, policy, limits)
    : fitEntry(draft, rules, choice === 'clamp' ? 1n : needed, limits);
  const refusal =
    belowMinimum(draft, rules, legs) ??
    (legs.sent.length > 1 ? refuseLegs(draft, legs.sent, { rules, account, policy }) : undefined);
  return refusal ?? legs;
}

/** Number of orders that may still be sent. */
function roomFor(draft: OrderDraft, rules: ResolvedRules, account: RiskAccount): number {
  if (rules.maxWorkingOrders === undefined) return MAX_LEGS;
  const working = account.workingOrders(draft.proposal.instrument.id);
  return Math.min(rules.maxWorkingOrders - working, MAX_LEGS);
}

function fitEntry(
  { sent, terms }: OrderDraft,
  rules: ResolvedRules,
  count: bigint,
  { most }: LegLimits,
): Legs {
  if (count === 1n) {
    return { sent: [most], changes: [quantityChange('clamped', sent, formatFixed(most))] };
  }
  const legs = splitEvenly(sent, count, sentStep(terms, rules));
  return {
    sent: legs,
    changes: [quantityChange('split', sent, legs.map(formatFixed).join(' + '))],
  };
}

/** Every leg must reach the minimums by itself; the last leg is the smallest. */
function belowMinimum(
  draft: OrderDraft,
  rules: ResolvedRules,
  { sent }: Legs,
): Refused | undefined {
  const smallest = sent[sent.length - 1] ?? 0n;
  const { terms } = draft;
  const quantity =
    terms.unit === 'quote' ? quantityForMoney(smallest, costOfOne(terms) ?? 1n, rules) : smallest;
  const leg: OrderDraft = { ...draft, sent: smallest, quantity };
  return minOrderQuantity.check(leg, rules) ?? minOrderMoney.check(leg, rules);
}

function refuseMaximum(
  draft: OrderDraft,
  rules: ResolvedRules,
  { check, limit, most }: Maximum,
): Refused {
  const sentUnit = sentUnitName(draft);
  return new Refused({ check, limit: most, unit: sentUnit }, () => {
    const wouldPass = largestPassing(draft, rules, most);
    return {
      actual: draft.sent,
      text: `${amountText(draft.sent, sentUnit)} is more than the venue takes in one ${draft.terms.type} order, ${amountText(most, sentUnit)} (${check} ${formatFixed(limit)})${advise(wouldPass)}`,
      wouldPass,
    };
  });
}

function refuseWorking(
  { proposal }: OrderDraft,
  rules: ResolvedRules,
  account: RiskAccount,
  needed: bigint,
): Refused {
  const { id } = proposal.instrument;
  const limit = String(rules.maxWorkingOrders ?? MAX_LEGS);
  const working = account.workingOrders(id);
  return createRefusal({
    check: 'max-working-orders',
    limit,
    actual: String(BigInt(working) + needed),
    unit: 'orders',
    text: `${id} has ${String(working)} working orders, and ${String(needed)} more would exceed the ${limit} the venue allows`,
  });
}
