import {
  ceilToStep,
  divideCeil,
  FIXED_ONE,
  maxFixed,
  type Fixed,
  type ResolvedRules,
} from '../../domain/index.js';
import { QUOTE_STEP } from '../size/money.js';
import type { OrderDraft } from '../order-draft.js';
import { costOfOne } from '../terms.js';

/** Whether a quantity could be an order of its own: at least one step, and at least every minimum of the venue. */
export function canStandAlone(
  quantity: Fixed,
  oneCosts: Fixed | undefined,
  rules: ResolvedRules,
): boolean {
  return reachesQuantity(quantity, rules) && reachesMoney(quantity, oneCosts, rules);
}

export function reachesQuantity(quantity: Fixed, rules: ResolvedRules): boolean {
  const minimum = rules.minOrderQuantity;
  return quantity >= rules.step && (minimum === undefined || quantity >= minimum);
}

/** Compares unrounded products. Returns true without a known price: then the venue decides. */
export function reachesMoney(
  quantity: Fixed,
  oneCosts: Fixed | undefined,
  rules: ResolvedRules,
): boolean {
  const minimum = rules.minOrderMoney;
  if (minimum === undefined || oneCosts === undefined) return true;
  return quantity * oneCosts >= minimum * FIXED_ONE;
}

/** Smallest base or contracts that reach every minimum at this price. */
export function smallestQuantity(oneCosts: Fixed | undefined, rules: ResolvedRules): Fixed {
  const byQuantity = maxFixed(rules.step, rules.minOrderQuantity ?? 0n);
  const minimum = rules.minOrderMoney;
  const byMoney =
    minimum === undefined || oneCosts === undefined
      ? 0n
      : divideCeil(minimum * FIXED_ONE, oneCosts);
  return ceilToStep(maxFixed(byQuantity, byMoney), rules.step);
}

/** Smallest amount that can be sent on the draft's terms, in their unit. */
export function smallestSent({ terms }: OrderDraft, rules: ResolvedRules): Fixed {
  const oneCosts = costOfOne(terms);
  if (terms.unit !== 'quote') return smallestQuantity(oneCosts, rules);
  const step = ceilToStep(maxFixed(rules.step, rules.minOrderQuantity ?? 0n), rules.step);
  const byQuantity = divideCeil(step * (oneCosts ?? 0n), FIXED_ONE);
  return ceilToStep(maxFixed(byQuantity, rules.minOrderMoney ?? 0n), QUOTE_STEP);
}
