import { amountText, multiplyFixed, type ResolvedRules } from '../../domain/index.js';
import { reachesMoney, reachesQuantity, smallestQuantity } from '../legs/minimum.js';
import { quantityUnitName } from '../size/money.js';
import { sentUnitName, type OrderDraft } from '../order-draft.js';
import { smallestPassing } from '../legs/passing.js';
import { advise, Refused, type Passing } from '../refusal.js';
import { costOfOne } from '../terms.js';
import type { RiskCheck } from './risk-check.js';

export const minOrderQuantity = {
  name: 'min-order-quantity',
  check(draft: OrderDraft, rules: ResolvedRules): Refused | undefined {
    return reachesQuantity(draft.quantity, rules) ? undefined : refuseQuantity(draft, rules);
  },
} as const satisfies RiskCheck;

export const minOrderMoney = {
  name: 'min-order-money',
  check(draft: OrderDraft, rules: ResolvedRules): Refused | undefined {
    const minimum = rules.minOrderMoney;
    if (minimum === undefined) return undefined;
    const { terms, sent, quantity } = draft;
    const reached =
      terms.unit === 'quote' ? sent >= minimum : reachesMoney(quantity, costOfOne(terms), rules);
    return reached ? undefined : refuseMoney(draft, rules, minimum);
  },
} as const satisfies RiskCheck;

function refuseQuantity(draft: OrderDraft, rules: ResolvedRules): Refused {
  const unit = quantityUnitName(draft.proposal.instrument);
  const limit = smallestQuantity(undefined, rules);
  return new Refused({ check: minOrderQuantity.name, limit, unit }, () => {
    const wouldPass = smallestPassing(draft, rules);
    return {
      actual: draft.quantity,
      text: `${amountText(draft.quantity, unit)} after rounding is less than the smallest order of ${amountText(limit, unit)}${explain(draft, wouldPass)}`,
      wouldPass,
    };
  });
}

function refuseMoney(draft: OrderDraft, rules: ResolvedRules, limit: bigint): Refused {
  const unit = draft.proposal.instrument.quote;
  return new Refused({ check: minOrderMoney.name, limit, unit }, () => {
    const { terms, sent, quantity } = draft;
    const money = terms.unit === 'quote' ? sent : multiplyFixed(quantity, costOfOne(terms) ?? 0n);
    const wouldPass = smallestPassing(draft, rules);
    return {
      actual: money,
      text: `${amountText(money, unit)} is less than the smallest order of ${amountText(limit, unit)}${explain(draft, wouldPass)}`,
      wouldPass,
    };
  });
}

function explain(draft: OrderDraft, wouldPass: Passing | undefined): string {
  if (wouldPass !== undefined) return advise(wouldPass);
  if (draft.proposal.action === 'open') return ', and no order this venue takes is large enough';
  return `; all that can be closed is ${amountText(draft.closable, sentUnitName(draft))}, too little to trade alone`;
}
