import { formatFixed, type ExitIntent, type ResolvedRules } from '../../domain/index.js';
import { heldQuantity, isSettled, type PositionSide } from './position-side.js';
import type { WorkingOrder } from './working-order.js';

/** What is to be done next about a take-profit. */
export type TakeProfitStep =
  | { readonly kind: 'cancel'; readonly order: WorkingOrder }
  | { readonly kind: 'send'; readonly intent: ExitIntent };

/**
 * Says what is to be done so that one LIMIT rests for all that is held, at the guard's level; undefined when that is so, cannot be, or
 * has to wait: while another exit works or is to come, and while an entry takes what there is.
 */
export function reviewTakeProfit(
  positionSide: PositionSide,
  rules: ResolvedRules | undefined,
): TakeProfitStep | undefined {
  const held = heldQuantity(positionSide, rules);
  if (held === 0n || positionSide.exitJob !== undefined || !isSettled(positionSide))
    return undefined;
  const level = positionSide.guard?.takeProfit;
  const limitPrice = level === undefined ? undefined : formatFixed(level);
  const resting = positionSide.working.all.find((order) => order.role === 'take-profit');
  if (resting !== undefined) {
    const isCurrent = resting.intent.kind === 'exit' && resting.intent.limitPrice === limitPrice;
    const coversAll = resting.remaining + (rules?.step ?? 0n) > held;
    // The venue may have taken a part of the position: closing more contracts than are held is rejected.
    const isContract = positionSide.account.instrument.kind === 'futures';
    const fits = !isContract || resting.remaining <= held;
    return isCurrent && coversAll && fits ? undefined : { kind: 'cancel', order: resting };
  }
  if (limitPrice === undefined || positionSide.takeProfitRefused) return undefined;
  const { instrumentId } = positionSide;
  return {
    kind: 'send',
    intent: { kind: 'exit', instrument: instrumentId, limitPrice, label: 'take-profit' },
  };
}
