import {
  formatFixed,
  maxFixed,
  minFixed,
  type Fixed,
  type ResolvedRules,
} from '../../domain/index.js';
import type { RiskAccount } from '../account.js';
import { fundingAsset, neededFunds, usableFunds } from '../funds.js';
import { tightestMaximum } from '../legs/maximum.js';
import { floorPositive } from '../size/money.js';
import { sentStep, type OrderDraft } from '../order-draft.js';
import { largestPassing } from '../legs/passing.js';
import type { RiskPolicy } from '../policy.js';
import { advise, Refused, type Passing } from '../refusal.js';
import type { RiskCheck } from './risk-check.js';

/** Refuses an entry if the free funds do not cover it with its fee. */
export const sufficientBalance: RiskCheck = {
  name: 'insufficient-balance',
  check(draft, rules, account, policy) {
    if (draft.proposal.action === 'close') return undefined;
    if (isCovered(draft, draft.needed, account)) return undefined;
    return refuse(draft, draft.needed, { rules, account, policy });
  },
};

/** Each order of a split rounds its costs up, so together they may need more than the single order. */
export function refuseLegs(
  draft: OrderDraft,
  legs: readonly Fixed[],
  terms: CheckTerms,
): Refused | undefined {
  if (draft.proposal.action === 'close') return undefined;
  const { account, policy } = terms;
  const needed = legs.reduce(
    (sum, leg) => sum + neededFunds(draft.terms, leg, account, policy),
    0n,
  );
  return isCovered(draft, needed, account) ? undefined : refuse(draft, needed, terms);
}

function isCovered(draft: OrderDraft, needed: Fixed, account: RiskAccount): boolean {
  const { instrument } = draft.proposal;
  const usable = usableFunds(draft, account);
  account.cashWatch?.compared(instrument.kind, fundingAsset(instrument), usable, needed);
  return needed <= usable;
}

interface CheckTerms {
  readonly rules: ResolvedRules;
  readonly account: RiskAccount;
  readonly policy: RiskPolicy;
}

function refuse(draft: OrderDraft, needed: Fixed, terms: CheckTerms): Refused {
  const asset = fundingAsset(draft.proposal.instrument);
  const power = maxFixed(usableFunds(draft, terms.account), 0n);
  return new Refused({ check: sufficientBalance.name, limit: power, unit: asset }, () => {
    const wouldPass = affordable(draft, power, terms);
    return {
      actual: needed,
      text: `needs ${formatFixed(needed)} ${asset}, costs included, and ${formatFixed(power)} ${asset} can be used${advise(wouldPass)}`,
      wouldPass,
    };
  });
}

function affordable(
  draft: OrderDraft,
  power: Fixed,
  { rules, account, policy }: CheckTerms,
): Passing | undefined {
  const step = sentStep(draft.terms, rules);
  const { needed } = draft;
  if (power === 0n || needed <= 0n) return undefined;
  const paid = (draft.sent * power) / needed;
  const most = minFixed(paid, tightestMaximum(draft.terms, rules)?.most ?? paid);
  const onGrid = floorPositive(most, step);
  // The needed funds are rounded up, so the share may be one step too large.
  const fits = neededFunds(draft.terms, onGrid, account, policy) <= power;
  return largestPassing(draft, rules, fits ? onGrid : onGrid - step);
}
