import {
  divideCeil,
  formatFixed,
  maxFixed,
  minFixed,
  type ResolvedRules,
} from '../../domain/index.js';
import { COST_SCALE, fundsOf, type Funds } from '../funds.js';
import { tightestMaximum } from '../maximum.js';
import { floorPositive } from '../money.js';
import { sentStep, type OrderDraft } from '../order-draft.js';
import { largestPassing } from '../passing.js';
import { advise, createRefusal, type Passing } from '../refusal.js';
import type { RiskCheck } from './risk-check.js';

/** An entry, with its fee, is paid from what is free. */
export const sufficientBalance: RiskCheck = {
  name: 'insufficient-balance',
  check(draft, rules, account, policy) {
    const funds = fundsOf(draft, account, policy);
    if (funds === undefined) return undefined;
    if (draft.sent * funds.unitCost <= funds.power * COST_SCALE) return undefined;
    const needed = divideCeil(draft.sent * funds.unitCost, COST_SCALE);
    const power = maxFixed(funds.power, 0n);
    const wouldPass = affordable(draft, funds, rules);
    return createRefusal({
      check: this.name,
      limit: power,
      actual: needed,
      unit: funds.asset,
      text: `needs ${formatFixed(needed)} ${funds.asset}, costs included, and ${formatFixed(power)} ${funds.asset} can be used${advise(wouldPass)}`,
      wouldPass,
    });
  },
};

function affordable(draft: OrderDraft, funds: Funds, rules: ResolvedRules): Passing | undefined {
  if (funds.power <= 0n || funds.unitCost <= 0n) return undefined;
  const paid = (funds.power * COST_SCALE) / funds.unitCost;
  const most = minFixed(paid, tightestMaximum(draft.terms, rules)?.most ?? paid);
  return largestPassing(draft, rules, floorPositive(most, sentStep(draft.terms, rules)));
}
