import {
  divideFixed,
  type Fixed,
  type InstrumentId,
  type QuantityUnit,
  type Refusal,
  type ReplaceIntent,
} from '../../../domain/index.js';
import type { Exits } from '../exits.js';
import {
  canceledRefusal,
  guardRefusal,
  leavingRefusal,
  noOrderRefusal,
  nothingLeftRefusal,
  supersededRefusal,
} from '../order-refusals.js';
import type { OwnOrders } from '../own-orders.js';
import type { PositionSide, Remainder } from '../position-side.js';
import { planReplacement, remainderToReplace } from './replacement.js';
import type { WorkingOrder } from '../working/working-order.js';

/** Replaces orders. Each order is canceled, and when its end is known, its rest is sent on the new terms. If nothing can be sent, the intent is refused. */
export class Replacements {
  readonly #ownOrders: OwnOrders;
  readonly #exits: Exits;

  constructor(ownOrders: OwnOrders, exits: Exits) {
    this.#ownOrders = ownOrders;
    this.#exits = exits;
  }

  /**
   * Cancels the orders that an intent replaces. The newest replacement counts: an earlier one is refused. If no order works, the refusal is told for
   * `first`, the first instrument.
   */
  plan(intentId: number, intent: ReplaceIntent, first: InstrumentId): void {
    const { account } = this.#ownOrders;
    const orders = this.#ownOrders.referenced(intent.target);
    if (orders.length === 0) {
      const positionSide = account.positionSide(first, 'long');
      this.#ownOrders.refuse(positionSide, intentId, intent, noOrderRefusal(intent.target));
      return;
    }
    for (const order of orders) {
      const { instrumentId } = order.request;
      const positionSide = account.positionSide(instrumentId, order.direction);
      const refusal = this.#refusalOf(positionSide, order);
      const plan =
        refusal === undefined
          ? planReplacement(order, intentId, intent, {
              legs: intent.quantity === undefined ? [] : orders.filter(isLegOf(order)),
              step: account.step(positionSide),
              unsent: unsentOf(positionSide, order),
            })
          : ({ kind: 'problem', refusal } as const);
      if (plan.kind === 'replacement') {
        this.#ownOrders.dropReplacement(order, supersededRefusal);
        order.replaceBy(plan.replacement);
        this.#ownOrders.cancel(order);
      } else this.#ownOrders.refuse(positionSide, intentId, intent, plan.refusal);
    }
  }

  /** Why an order cannot be replaced on any terms; undefined if it can. */
  #refusalOf(positionSide: PositionSide, order: WorkingOrder): Refusal | undefined {
    if (order.role !== 'entry' && order.role !== 'exit')
      return guardRefusal(positionSide.instrumentId);
    if (this.#exits.isGivingWay(positionSide, order))
      return leavingRefusal(positionSide.instrumentId);
    // By the strategy, at its expiry, for a stop, or because another order of its OCO group has filled: nothing revives it.
    return order.isWithdrawn ? canceledRefusal(positionSide.instrumentId) : undefined;
  }

  /** Call after an order with a replacement has ended: sends it. */
  carryOut(positionSide: PositionSide, order: WorkingOrder): void {
    const rest = remainderToReplace(order, this.#ownOrders.account.now);
    if (rest !== undefined) this.#ownOrders.propose(positionSide, rest);
    else this.#ownOrders.dropReplacement(order, nothingLeftRefusal);
  }
}

/** Finds the orders of the same intent on the same side, itself included. */
function isLegOf({ request, origin, direction }: WorkingOrder): (other: WorkingOrder) => boolean {
  const { instrumentId } = request;
  return (other) =>
    other.origin === origin &&
    other.request.instrumentId === instrumentId &&
    other.direction === direction;
}

/** Quantity of the order's intent that is sent later: parts of `twap`, or a rest that is sent again. */
function unsentOf({ remainders }: PositionSide, { origin, request }: WorkingOrder): Fixed {
  let unsent = 0n;
  for (const rest of remainders.values())
    if ((rest.origin ?? rest.intentId) === origin) unsent += amountOf(rest, request.unit);
  return unsent;
}

/** A short on margin sells base, even if its size is an amount of quote. */
function amountOf({ unit, quantity, schedule }: Remainder, sent: QuantityUnit): Fixed {
  if (unit === sent) return quantity;
  return schedule?.price === undefined ? 0n : divideFixed(quantity, schedule.price);
}
