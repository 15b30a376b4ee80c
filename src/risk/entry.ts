import type { RiskAccount } from './account.js';
import { neededFunds } from './funds.js';
import { quantityForMoney } from './size/money.js';
import { collectChanges, type OrderDraft } from './order-draft.js';
import type { RiskPolicy } from './policy.js';
import { readRisk } from './size/risk-size.js';
import { readMoney, readQuantity, refuseSize } from './size/sizing.js';
import { costOfOne, type OrderTerms } from './terms.js';
import type { Refused } from './refusal.js';

/** Sizes an order that opens or adds. */
export function draftEntry(
  terms: OrderTerms,
  account: RiskAccount,
  policy: RiskPolicy,
): OrderDraft | Refused {
  const { proposal, rules } = terms;
  const { size } = proposal;
  if ('all' in size || 'share' in size)
    return refuseSize(
      'share' in size ? 'share' : 'all',
      'an entry needs a quantity, a notional, a share of equity or a risk',
    );
  const inQuantity = 'quantity' in size || 'risk' in size;
  const sized =
    'quantity' in size
      ? readQuantity(terms, size.quantity)
      : 'risk' in size
        ? readRisk(terms, size.risk, { account, policy })
        : readMoney(terms, size, { account, policy });
  if ('check' in sized) return sized;
  const quantity = inQuantity
    ? sized.value
    : quantityForMoney(sized.value, costOfOne(terms) ?? 1n, rules);
  const sent = terms.unit === 'quote' ? sized.value : quantity;
  return {
    proposal,
    terms,
    sent,
    quantity,
    closable: 0n,
    changes: collectChanges(terms.change, sized.change),
    needed: neededFunds(terms, sent, account, policy),
  };
}
