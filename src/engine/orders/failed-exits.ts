import {
  formatFixed,
  parseFixed,
  type EpochMs,
  type ExitIntent,
  type Fixed,
  type OrderIntent,
} from '../../domain/index.js';
import { isExit } from './working/order-cause.js';
import { isSliced, type ExitJob, type PositionSide } from './position-side.js';
import type { WorkingOrder } from './working/working-order.js';

/** Label of the exits of a flatten while a halt flattens. The halt repeats them until nothing is held, or until resuming. */
export const ORDERED_FLATTEN = 'ordered flatten';
/** Label of the exits of a flatten at a stop. No halt repeats them in the next process, so those that the venue rejected are kept until resuming. */
export const STOP_FLATTEN = 'flatten at a stop';

/** For sides without a failed exit. Shared, so that to clear a side makes no array. */
export const NO_EXITS: readonly ExitJob[] = [];

/**
 * The exit of a rejected order, to be tried again; undefined if it is not. An exit with a price is not, because the price was that of the moment. Only
 * the rest of the order is wanted of a part, as a quantity: a share would be one of another position by then.
 */
export function failedExitOf(
  positionSide: PositionSide,
  order: WorkingOrder,
  now: EpochMs,
): ExitJob | undefined {
  const { role, isWithdrawn, request, parent } = order;
  // The entry of a flip is refused, and the exit before it is tried again.
  if (isWithdrawn || !isExit(role)) return undefined;
  const intent = unpriced(order.intent);
  if (intent.kind !== 'exit' || intent.limitPrice !== undefined) return undefined;
  if (role === 'flatten' && intent.label === ORDERED_FLATTEN) return undefined;
  const withdrawsEntries = role !== 'exit' || intent.cancelEntries === true;
  const job = { intentId: request.intentId, role, withdrawsEntries, parent, since: now };
  if (intent.size === undefined) return { ...job, intent };
  if (isSliced(positionSide, order) || isOfEarlierCandle(positionSide, order)) return undefined;
  return { ...job, intent: { ...intent, size: { quantity: formatFixed(order.remaining) } } };
}

/** Adds a failed exit to those of its side. Orders of one intent, such as the legs of a split order, are one exit. */
export function withFailedExit(failedExits: readonly ExitJob[], job: ExitJob): readonly ExitJob[] {
  const { intentId } = job;
  const before = failedExits.find((one) => one.intentId === intentId);
  const others = failedExits.filter((one) => one !== before);
  return [...others, before === undefined ? job : { ...job, intent: sumOf(before, job) }];
}

/** The later one, for the quantity of both if they are parts. */
function sumOf(before: ExitJob, { intent }: ExitJob): ExitIntent {
  const quantity = quantityOf(before.intent) + quantityOf(intent);
  return quantity === 0n ? intent : { ...intent, size: { quantity: formatFixed(quantity) } };
}

function quantityOf({ size }: ExitIntent): Fixed {
  return size !== undefined && 'quantity' in size ? parseFixed(String(size.quantity)) : 0n;
}

/** Whether a candle has come since the order was sent. The strategy has then decided anew, so that a second try beside its new exit could sell a part twice. */
function isOfEarlierCandle({ account }: PositionSide, { createdTime }: WorkingOrder): boolean {
  return createdTime < account.lastTime;
}

/** A worked intent without the price that its order had: it begins anew at last. */
function unpriced(intent: OrderIntent): OrderIntent {
  const isWorked = intent.kind === 'exit' && intent.work !== undefined;
  return isWorked ? { ...intent, limitPrice: undefined } : intent;
}
