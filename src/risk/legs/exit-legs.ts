import { formatFixed, type Fixed, type ResolvedRules } from '../../domain/index.js';
import { quantityChange } from '../size/changes.js';
import { canSplit, dustLeft } from './dust.js';
import { canStandAlone, smallestQuantity } from './minimum.js';
import { collectChanges, type Legs, type OrderDraft } from '../order-draft.js';
import type { RiskPolicy } from '../policy.js';
import { countLegs, splitEvenly } from './split.js';
import { costOfOne } from '../terms.js';

/** Largest single order, and the number of orders that may be sent. */
export interface LegLimits {
  readonly most: Fixed;
  readonly room: bigint;
}

/**
 * Fits an exit above a maximum. It is split into equal legs if all of them have room and reach the minimums. Otherwise it is cut to as many full
 * orders as can be sent now. The rest stays in the position.
 */
export function fitExit(
  draft: OrderDraft,
  rules: ResolvedRules,
  policy: RiskPolicy,
  { most, room }: LegLimits,
): Legs {
  const { sent, terms } = draft;
  const oneCosts = costOfOne(terms);
  const needed = countLegs(sent, most);
  const isSplit = policy.tooLarge.exits === 'split';
  if (isSplit && needed <= room && canSplit(sent, needed, oneCosts, rules)) {
    const legs = splitEvenly(sent, needed, rules.step);
    const written = legs.map(formatFixed).join(' + ');
    return { sent: legs, changes: [quantityChange('split', sent, written)] };
  }
  const full = !isSplit ? 1n : needed <= room ? needed - 1n : room;
  return cutExit(draft, rules, policy, { most, room: full });
}

/**
 * Cuts an exit to full orders. The rest must be sellable later. If it would not be, `sweep` cuts a little more, provided that the smaller orders
 * still reach the minimums. Otherwise the verdict reports the rest, unless the policy is `leave`.
 */
function cutExit(
  { sent, closable, terms }: OrderDraft,
  rules: ResolvedRules,
  { dust }: RiskPolicy,
  { most, room }: LegLimits,
): Legs {
  const oneCosts = costOfOne(terms);
  const full = most * room;
  const cut = (total: Fixed, count: bigint, isUnsellable: boolean): Legs => ({
    sent: splitEvenly(total, count, rules.step),
    changes: collectChanges(
      quantityChange('clamped', sent, formatFixed(total)),
      isUnsellable ? dustLeft(closable - total) : undefined,
    ),
  });
  if (dust === 'leave' || canStandAlone(closable - full, oneCosts, rules)) {
    return cut(full, room, false);
  }
  const kept = closable - smallestQuantity(oneCosts, rules);
  if (dust === 'sweep' && kept > 0n && kept < full) {
    const count = countLegs(kept, most);
    if (canSplit(kept, count, oneCosts, rules)) return cut(kept, count, false);
  }
  return cut(full, room, true);
}
