import {
  type EpochMs,
  fixedFromDecimal,
  floorToStep,
  formatFixed,
  maxFixed,
  type DecimalInput,
  type Fixed,
  type OrderIntent,
  type Refusal,
  type ReplaceIntent,
} from '../../../domain/index.js';
import { readAmount, splitEvenly } from '../../../risk/index.js';
import { describeSaid } from '../forms/intent-keys.js';
import { marketRefusal } from '../order-refusals.js';
import { expiringAt, type PlannedOrder } from '../planned-order.js';
import { workOf } from '../worked/work-terms.js';
import type { Replacement, WorkingOrder } from '../working/working-order.js';

/** The working orders of an intent, the one to be replaced included, the step of their quantities, and what is still to be sent besides them. */
interface SplitOrder {
  readonly legs: readonly WorkingOrder[];
  readonly step: Fixed;
  readonly unsent: Fixed;
}

/**
 * Reads the new terms for the rest of an order, before the order is canceled for them. A MARKET order cannot be replaced. A new
 * quantity is that of the parent order: with the fills of all its legs, and of the orders that they replace, and with what is still to be sent.
 */
export function planReplacement(
  order: WorkingOrder,
  intentId: number,
  intent: ReplaceIntent,
  split: SplitOrder,
):
  | { readonly kind: 'replacement'; readonly replacement: Replacement }
  | { readonly kind: 'problem'; readonly refusal: Refusal } {
  const { request, replacement: before } = order;
  if (request.type !== 'limit')
    return { kind: 'problem', refusal: marketRefusal(request.instrumentId) };
  const price = readPositive('limitPrice', intent.limitPrice);
  if (price.kind === 'problem') return price;
  const quantity = readPositive('quantity', intent.quantity);
  if (quantity.kind === 'problem') return quantity;
  const limitPrice = intent.limitPrice ?? before?.limitPrice ?? formatFixed(request.limitPrice);
  const asked =
    quantity.kind === 'amount' ? shareOf(order, quantity.value, split) : before?.quantity;
  return {
    kind: 'replacement',
    replacement: { intentId, limitPrice, quantity: asked ?? request.quantity },
  };
}

/** The quantity of one leg: what it has filled, and its part of what is left of the whole. */
function shareOf(order: WorkingOrder, whole: Fixed, { legs, step, unsent }: SplitOrder): Fixed {
  const rest = maxFixed(whole - order.parent.filledQuantity - unsent, 0n);
  if (legs.length < 2 || step === 0n) return order.filledQuantity + rest;
  const left = floorToStep(rest, step);
  const parts = splitEvenly(left, BigInt(legs.length), step);
  return order.filledQuantity + (parts[legs.indexOf(order)] ?? 0n);
}

/** The rest of an order that was canceled for a replacement, on the new terms; undefined if nothing is left, or if the order ended in another way. */
export function remainderToReplace(order: WorkingOrder, now: EpochMs): PlannedOrder | undefined {
  const { replacement, role, origin, parent, worked, filledQuantity, status } = order;
  if (replacement === undefined || status !== 'canceled') return undefined;
  const { kind } = order.intent;
  if (kind !== 'enter' && kind !== 'exit') return undefined;
  const rest = replacement.quantity - filledQuantity;
  if (rest <= 0n) return undefined;
  const { intentId } = replacement;
  const intent = withinLifetime(order, order.intent, now);
  // The time of `limitFor` may end while the cancel is on its way.
  const isOver = workOf(intent)?.kind === 'limit-for' && now >= (worked?.limitUntil ?? Infinity);
  const limitPrice = isOver ? undefined : replacement.limitPrice;
  return {
    intentId,
    intent:
      limitPrice === undefined
        ? { ...intent, limitPrice, timeInForce: undefined, work: undefined }
        : { ...intent, limitPrice },
    role,
    origin,
    parent,
    worked,
    size: { quantity: formatFixed(rest) },
  };
}

/** The intent with what is left of its lifetime. A worked order keeps its expiry by itself. */
function withinLifetime<Intent extends OrderIntent>(
  { expiry, worked }: WorkingOrder,
  intent: Intent,
  now: EpochMs,
): Intent {
  const isEndless = expiry === undefined || !Number.isFinite(expiry.due);
  return isEndless || worked !== undefined ? intent : expiringAt(intent, expiry.due, now);
}

/** Reads a term of a replacement, which may be absent. */
function readPositive(
  field: 'limitPrice' | 'quantity',
  input: DecimalInput | undefined,
):
  | { readonly kind: 'absent' }
  | { readonly kind: 'amount'; readonly value: Fixed }
  | { readonly kind: 'problem'; readonly refusal: Refusal } {
  if (input === undefined) return { kind: 'absent' };
  const amount = readAmount(input);
  const value = typeof amount === 'object' ? fixedFromDecimal(amount) : amount;
  if (value !== undefined && value > 0n) return { kind: 'amount', value };
  const actual = describeSaid(input);
  return {
    kind: 'problem',
    refusal: {
      check: field === 'quantity' ? 'invalid-size' : 'invalid-price',
      limit: 'a decimal above 0',
      actual,
      unit: field === 'quantity' ? 'quantity' : 'price',
      text: `${field}: expected a decimal above 0 as text such as "100.5", received ${actual}`,
    },
  };
}
