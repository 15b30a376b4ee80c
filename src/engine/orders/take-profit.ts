import { formatFixed, type ExitIntent, type ResolvedRules } from '../../domain/index.js';
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
 * Says what is to be done so that one LIMIT rests at the guard's level for all that is held and no other exit offers; undefined when that is so,
 * cannot be, or has to wait: while an exit that takes what there is works or is to come, and while such an entry does.
 */
export function reviewTakeProfit(
  positionSide: PositionSide,
  rules: ResolvedRules | undefined,
): TakeProfitStep | undefined {
  const held = heldQuantity(positionSide, rules);
  if (held === 0n || isDust(positionSide) || !isSettled(positionSide)) return undefined;
  const left = held - offeredByExits(positionSide);
  const level = positionSide.guard?.takeProfit;
  const limitPrice = level === undefined ? undefined : formatFixed(level);
  const resting = positionSide.working.all.find((order) => order.role === 'take-profit');
  if (resting !== undefined) {
    const isCurrent = resting.intent.kind === 'exit' && resting.intent.limitPrice === limitPrice;
    const coversAll = resting.remaining + (rules?.step ?? 0n) > left;
    // The venue may have taken a part of the position: closing more contracts than are held is rejected.
    const isContract = positionSide.account.instrument.kind === 'futures';
    const fits = !isContract || resting.remaining <= left;
    return isCurrent && coversAll && fits ? undefined : { kind: 'cancel', order: resting };
  }
  if (limitPrice === undefined || positionSide.takeProfitRefused || left < (rules?.step ?? 1n))
    return undefined;
  const { instrumentId } = positionSide;
  return {
    kind: 'send',
    intent: { kind: 'exit', instrument: instrumentId, limitPrice, label: 'take-profit' },
  };
}
