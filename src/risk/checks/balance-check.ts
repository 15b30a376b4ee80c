import {
  formatFixed,
  maxFixed,
  minFixed,
  type Fixed,
  type Refusal,
  type ResolvedRules,
} from '../../domain/index.js';
import type { RiskAccount } from '../account.js';
import { fundsOf, type Funds } from '../funds.js';
import { tightestMaximum } from '../maximum.js';
import { floorPositive } from '../money.js';
import { sentStep, type OrderDraft } from '../order-draft.js';
import { largestPassing } from '../passing.js';
import type { RiskPolicy } from '../policy.js';
import { advise, createRefusal, type Passing } from '../refusal.js';
import type { RiskCheck } from './risk-check.js';

/** An entry, with its fee, is paid from what is free. */
export const sufficientBalance: RiskCheck = {
  name: 'insufficient-balance',
  check(draft, rules, account, policy) {
    const funds = fundsOf(draft, account, policy);
    if (funds === undefined) return undefined;
    const needed = funds.needs(draft.sent);
    return needed <= funds.power ? undefined : refuse(draft, rules, funds, needed);
  },
};

/** Each order of a split rounds its costs up by itself, so that together they may need more than the one they come from. */
export function refuseLegs(
  draft: OrderDraft,
  legs: readonly Fixed[],
  {
    rules,
    account,
    policy,
  }: {
    readonly rules: ResolvedRules;
    readonly account: RiskAccount;
    readonly policy: RiskPolicy;
  },
): Refusal | undefined {
  const funds = fundsOf(draft, account, policy);
  if (funds === undefined) return undefined;
  const needed = legs.reduce((sum, leg) => sum + funds.needs(leg), 0n);
  return needed <= funds.power ? undefined : refuse(draft, rules, funds, needed);
}

function refuse(draft: OrderDraft, rules: ResolvedRules, funds: Funds, needed: Fixed): Refusal {
  const power = maxFixed(funds.power, 0n);
  const wouldPass = affordable(draft, funds, rules);
  return createRefusal({
    check: sufficientBalance.name,
    limit: power,
    actual: needed,
    unit: funds.asset,
    text: `needs ${formatFixed(needed)} ${funds.asset}, costs included, and ${formatFixed(power)} ${funds.asset} can be used${advise(wouldPass)}`,
    wouldPass,
  });
}

function affordable(draft: OrderDraft, funds: Funds, rules: ResolvedRules): Passing | undefined {
  const step = sentStep(draft.terms, rules);
  const needed = funds.needs(draft.sent);
  if (funds.power <= 0n || needed <= 0n) return undefined;
  const paid = (draft.sent * funds.power) / needed;
  const most = minFixed(paid, tightestMaximum(draft.terms, rules)?.most ?? paid);
  const onGrid = floorPositive(most, step);
  // What is needed is rounded up, so that the share may be one step too large.
  return largestPassing(draft, rules, funds.needs(onGrid) <= funds.power ? onGrid : onGrid - step);
}
