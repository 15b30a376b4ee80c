import type { Refusal } from '../domain/index.js';
import { quantityForMoney } from './money.js';
import { collectChanges, type DraftContext, type OrderDraft } from './order-draft.js';
import { isRefusal } from './refusal.js';
import { readMoney, readQuantity, refuseSize } from './sizing.js';

/** Sizes an order that opens or adds. */
export function draftEntry(context: DraftContext): OrderDraft | Refusal {
  const { proposal, terms, rules, fees } = context;
  const { size } = proposal;
  if ('all' in size)
    return refuseSize('all', 'an entry needs a quantity, a notional or a share of equity');
  const inQuantity = 'quantity' in size;
  const sized = inQuantity ? readQuantity(context, size.quantity) : readMoney(context, size);
  if (isRefusal(sized)) return sized;
  const quantity = inQuantity
    ? sized.value
    : quantityForMoney(sized.value, terms.oneCosts ?? 1n, rules);
  return {
    proposal,
    terms,
    fees,
    sent: terms.unit === 'quote' ? sized.value : quantity,
    quantity,
    closable: 0n,
    changes: collectChanges(terms.change, sized.change),
  };
}
