import {
  fixedFromInput,
  formatFixed,
  type ExitIntent,
  type Fixed,
  type ResolvedRules,
} from '../../domain/index.js';
import { guardedByBrackets } from './bracket.js';
import { isTakeProfit } from './order-questions.js';
import {
  heldQuantity,
  isDust,
  isSettled,
  offeredByExits,
  type PositionSide,
} from './position-side.js';
import type { WorkingOrder } from './working-order.js';

/** What is to be done next about a take-profit. */
export type TakeProfitStep =
  | { readonly kind: 'cancel'; readonly order: WorkingOrder }
  | { readonly kind: 'send'; readonly intent: ExitIntent };

/**
 * Says what is to be done so that one LIMIT rests at the guard's level for all that is held, no other exit offers and no bracket guards; undefined when that is so,
 * cannot be, or has to wait: while an exit that takes what there is works or is to come, and while such an entry does.
 * `isAtVenue`: a trigger at the venue takes its place, and none rests.
 */
export function reviewTakeProfit(
  positionSide: PositionSide,
  rules: ResolvedRules | undefined,
  isAtVenue = false,
): TakeProfitStep | undefined {
  const held = heldQuantity(positionSide, rules);
  if (held === 0n || isDust(positionSide) || !isSettled(positionSide)) return undefined;
  const { brackets } = positionSide;
  const left = held - offeredByExits(positionSide) - guardedByBrackets(brackets);
  const level = isAtVenue ? undefined : positionSide.guard?.takeProfit;
  const resting = positionSide.working.first(isTakeProfit);
  if (resting !== undefined) {
    const isCurrent = isAt(resting, level);
    if (brackets !== undefined)
      return isCurrent && floorTo(plannedRest(resting), rules) === floorTo(left, rules)
        ? undefined
        : { kind: 'cancel', order: resting };
    const coversAll = resting.remaining + (rules?.step ?? 0n) > left;
    // The venue may have taken a part of the position: closing more contracts than are held is rejected.
    const isContract = positionSide.account.instrument.kind === 'futures';
    const fits = !isContract || resting.remaining <= left;
    return isCurrent && coversAll && fits ? undefined : { kind: 'cancel', order: resting };
  }
  if (level === undefined || positionSide.takeProfitRefused || left < (rules?.step ?? 1n))
    return undefined;
  const { instrumentId } = positionSide;
  const limitPrice = formatFixed(level);
  // Only what no bracket guards; else all there is, whatever an exit has left by then.
  const size = brackets === undefined ? {} : { size: { quantity: formatFixed(left) } };
  return {
    kind: 'send',
    intent: { kind: 'exit', instrument: instrumentId, limitPrice, ...size, label: 'take-profit' },
  };
}

/** Whether an exit asks for this price, undefined for any. Its text is read, because writing the level as text takes longer. */
function isAt({ intent }: WorkingOrder, level: Fixed | undefined): boolean {
  if (intent.kind !== 'exit') return false;
  const { limitPrice } = intent;
  return limitPrice === undefined ? level === undefined : fixedFromInput(limitPrice) === level;
}

/** What of its plan is left: risk may have had it sell dust as well. */
function plannedRest({ intent, filledQuantity, remaining }: WorkingOrder): Fixed {
  const size = intent.kind === 'exit' ? intent.size : undefined;
  return size !== undefined && 'quantity' in size
    ? fixedFromInput(size.quantity) - filledQuantity
    : remaining;
}

/** Down to the step; below 0 it is nothing. */
export function floorTo(quantity: Fixed, rules: ResolvedRules | undefined): Fixed {
  if (quantity <= 0n) return 0n;
  return rules === undefined ? quantity : quantity - (quantity % rules.step);
}
