import {
  formatFixed,
  type Fixed,
  type ResolvedRules,
  type RiskChange,
} from '../../domain/index.js';
import { quantityChange } from '../size/changes.js';
import { tightestMaximum } from './maximum.js';
import { canStandAlone } from './minimum.js';
import type { RiskPolicy } from '../policy.js';
import { countLegs, MAX_LEGS, smallestLeg } from './split.js';
import { costOfOne, type OrderTerms } from '../terms.js';

/**
 * The change for a remainder of an exit that could not be sold alone. Undefined if there is none, or the policy is `leave`. The remainder is swept
 * only if the larger exit can be sent: a possible exit never becomes an impossible one.
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

/** Whether an exit of this quantity can be sent as one order, or in legs that each reach the minimums. */
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
