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

/** The next action for a take-profit. */
export type TakeProfitStep =
  | { readonly kind: 'cancel'; readonly order: WorkingOrder }
  | { readonly kind: 'send'; readonly intent: ExitIntent; readonly quantity: Fixed };

/**
 * Returns the next action, so that one LIMIT rests at the guard's level for the held quantity that no other exit offers and no bracket guards.
 * Undefined if that is so already, if it is impossible, or if it has to wait: while an order works that cannot rest, and while an exit is to come.
 * `isAtVenue`: a trigger at the venue takes its place, and no LIMIT rests.
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
    // The venue may have closed a part of the position itself, and it rejects an order that closes more contracts than are held.
    const isContract = positionSide.account.instrument.kind === 'futures';
    const fits = !isContract || resting.remaining <= left;
    return isCurrent && coversAll && fits ? undefined : { kind: 'cancel', order: resting };
  }
  const { instrumentId, takeProfitRefused, takeProfitTried } = positionSide;
  if (level === undefined || left < (rules?.step ?? 1n)) return undefined;
  if (takeProfitRefused && left <= takeProfitTried) return undefined;
  const limitPrice = formatFixed(level);
  // With brackets, only the quantity that no bracket guards; otherwise all that is held, less what exits offer when it is sent.
  const size = brackets === undefined ? {} : { size: { quantity: formatFixed(left) } };
  return {
    kind: 'send',
    quantity: left,
    intent: { kind: 'exit', instrument: instrumentId, limitPrice, ...size, label: 'take-profit' },
  };
}

/** Whether an exit has this limit price; undefined stands for no limit. Parses the intent's text, because formatting the level takes longer. */
function isAt({ intent }: WorkingOrder, level: Fixed | undefined): boolean {
  if (intent.kind !== 'exit') return false;
  const { limitPrice } = intent;
  return limitPrice === undefined ? level === undefined : fixedFromInput(limitPrice) === level;
}

/** Unfilled part of the planned size. The order itself may be larger, because risk may have added dust. */
function plannedRest({ intent, filledQuantity, remaining }: WorkingOrder): Fixed {
  const size = intent.kind === 'exit' ? intent.size : undefined;
  return size !== undefined && 'quantity' in size
    ? fixedFromInput(size.quantity) - filledQuantity
    : remaining;
}

/** Rounds down to the step; 0 for a negative quantity. */
export function floorTo(quantity: Fixed, rules: ResolvedRules | undefined): Fixed {
  if (quantity <= 0n) return 0n;
  return rules === undefined ? quantity : quantity - (quantity % rules.step);
}
