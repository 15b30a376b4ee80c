import { formatFixed, type Fixed, type ResolvedRules, type RiskChange } from '../domain/index.js';
import { quantityChange } from './changes.js';
import { tightestMaximum } from './maximum.js';
import { canStandAlone } from './minimum.js';
import type { RiskPolicy } from './policy.js';
import { countLegs, MAX_LEGS, smallestLeg } from './split.js';
import { costOfOne, type OrderTerms } from './terms.js';

/**
 * Says what becomes of a remainder of an exit that could not be sold alone; undefined where there is none, or the operator lets it be. It
 * is swept only where the larger exit can be sent: an exit that is possible never becomes one that is not.
 */
export function settleDust(
  terms: OrderTerms,
  policy: RiskPolicy,
  { quantity, closable }: { readonly quantity: Fixed; readonly closable: Fixed },
): RiskChange | undefined {
  if (quantity === closable || quantity === 0n || policy.dust === 'leave') return undefined;
  const remainder = closable - quantity;
  if (canStandAlone(remainder, costOfOne(terms), terms.rules)) return undefined;
  if (policy.dust === 'sweep' && canBeSent(terms, policy, closable)) {
    return quantityChange('swept', quantity, formatFixed(closable));
  }
  return dustLeft(remainder);
}

export function dustLeft(remainder: Fixed): RiskChange {
  return quantityChange('dust-left', remainder, formatFixed(remainder));
}

/** Whether an exit of this quantity goes out as one order, or in legs that each reach the minimums. */
function canBeSent(terms: OrderTerms, policy: RiskPolicy, quantity: Fixed): boolean {
  const { rules } = terms;
  const maximum = tightestMaximum(terms, rules);
  if (maximum === undefined || quantity <= maximum.most) return true;
  if (policy.tooLarge.exits !== 'split' || maximum.most === 0n) return false;
  const count = countLegs(quantity, maximum.most);
  return count <= BigInt(MAX_LEGS) && canSplit(quantity, count, costOfOne(terms), rules);
}

/** Whether every leg of an even split reaches the minimums by itself. */
export function canSplit(
  quantity: Fixed,
  count: bigint,
  oneCosts: Fixed | undefined,
  rules: ResolvedRules,
): boolean {
  return canStandAlone(smallestLeg(quantity, count, rules.step), oneCosts, rules);
}
