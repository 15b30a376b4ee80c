import {
  fixedFromInput,
  FIXED_ONE,
  formatFixed,
  minFixed,
  multiplyFixed,
  type ExitIntent,
  type Fixed,
  type ResolvedRules,
} from '../../../domain/index.js';
import { guardedByBrackets } from '../brackets/bracket.js';
import { isTakeProfit } from '../working/order-questions.js';
import {
  heldQuantity,
  isDust,
  isSettled,
  offeredByExits,
  type PositionSide,
} from '../position-side.js';
import type { WorkingOrder } from '../working/working-order.js';

/** The next action for a take-profit: to cancel its orders, or to send it. */
type TakeProfitStep =
  | { readonly kind: 'cancel' }
  | { readonly kind: 'send'; readonly intent: ExitIntent; readonly quantity: Fixed };

/**
 * Returns the next action, so that one LIMIT rests at the guard's level for the held quantity that no other exit offers and no bracket guards.
 * Undefined if that is so already, if it is impossible, or if it has to wait: while an order works that cannot rest, and while an exit is to come.
 * `isAtVenue`: a trigger at the venue takes its place, and no LIMIT rests. `feeRate`: what a purchase that closes the side pays of the base it buys, as a ratio.
 */
export function reviewTakeProfit(
  positionSide: PositionSide,
  rules: ResolvedRules | undefined,
  { isAtVenue, feeRate }: { readonly isAtVenue: boolean; readonly feeRate: Fixed },
): TakeProfitStep | undefined {
  const held = heldQuantity(positionSide, rules);
  if (held === 0n || isDust(positionSide) || !isSettled(positionSide)) return undefined;
  const { brackets } = positionSide;
  const left = held - offeredByExits(positionSide) - guardedByBrackets(brackets);
  const level = isAtVenue ? undefined : positionSide.guard?.takeProfit;
  const resting = positionSide.working.first(isTakeProfit);
  if (resting !== undefined) {
    const isCurrent = isAt(resting, level) && isFor(positionSide, left, { rules, feeRate });
    return isCurrent ? undefined : { kind: 'cancel' };
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

/** Whether the orders of a take-profit, several if it is large, rest for the quantity that is left. */
function isFor(
  { account, brackets, working }: PositionSide,
  left: Fixed,
  { rules, feeRate }: { readonly rules: ResolvedRules | undefined; readonly feeRate: Fixed },
): boolean {
  const resting = working.remaining(isTakeProfit);
  if (brackets !== undefined) {
    const rest = minFixed(resting, plannedRest(working.those(isTakeProfit)));
    return floorTo(rest, rules) === floorTo(left, rules);
  }
  // Interest makes a short on margin larger, and would stay if the order did not grow with it.
  const brings = feeRate === 0n ? resting : multiplyFixed(resting, FIXED_ONE - feeRate);
  const coversAll = brings + (rules?.step ?? 0n) > left;
  // The venue may have closed a part of the position itself, or taken a fee from it. On margin the rest of a step may be bought beyond what is owed.
  const fits = account.instrument.kind === 'margin' || resting <= left;
  return coversAll && fits;
}

/** Planned size without the fills of these orders. The orders may be larger, because risk may have added dust. */
function plannedRest(orders: Iterable<WorkingOrder>): Fixed {
  let planned = 0n;
  let filled = 0n;
  for (const { intent, request, filledQuantity } of orders) {
    const size = intent.kind === 'exit' ? intent.size : undefined;
    const isPart = size !== undefined && 'quantity' in size;
    if (isPart) planned = fixedFromInput(size.quantity);
    else planned += request.quantity;
    filled += filledQuantity;
  }
  return planned - filled;
}

/** Rounds down to the step; 0 for a negative quantity. */
export function floorTo(quantity: Fixed, rules: ResolvedRules | undefined): Fixed {
  if (quantity <= 0n) return 0n;
  return rules === undefined ? quantity : quantity - (quantity % rules.step);
}
