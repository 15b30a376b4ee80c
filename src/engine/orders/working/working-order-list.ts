import type { ClientOrderId, Fixed } from '../../../domain/index.js';
import { OrderIndex } from './order-index.js';
import { ocoOf } from './order-questions.js';
import type { WorkingOrder } from './working-order.js';
import {
  remainingOf,
  WorkingTotals,
  type OrderAmount,
  type OrderQuestion,
} from './working-totals.js';

/** Up to this many orders, searching all of them is faster than a map. */
const FEW = 16;

/**
 * Orders that may still fill, oldest first. Usually there are none or one, and one comes and goes with each trade. A map or set would create a new
 * table each time it is emptied, so there is a map only while there are many orders. With many, removed orders stay in the list until {@link all} is read.
 */
export class WorkingOrderList {
  readonly #orders: WorkingOrder[] = [];
  #byId: Map<ClientOrderId, WorkingOrder> | undefined;
  /** Index by intent id and by origin; built on the first use while there are many orders. */
  #byIntent: OrderIndex<number> | undefined;
  /** Index by OCO group; built in the same way. */
  #byGroup: OrderIndex<string> | undefined;
  /** Built on the first use while there are many orders. */
  #totals: WorkingTotals | undefined;
  /** Number of orders. */
  size = 0;
  /** Number of closing orders. */
  closing = 0;

  /** The live list, which changes as orders come and go. */
  get all(): readonly WorkingOrder[] {
    if (this.#byId !== undefined && this.#byId.size < this.#orders.length) this.#tidy(this.#byId);
    return this.#orders;
  }

  /** Drops removed orders, in place. */
  #tidy(byId: ReadonlyMap<ClientOrderId, WorkingOrder>): void {
    const orders = this.#orders;
    let kept = 0;
    for (const order of orders) {
      if (byId.get(order.request.clientOrderId) !== order) continue;
      orders[kept] = order;
      kept += 1;
    }
    orders.length = kept;
  }

  add(order: WorkingOrder): void {
    // Not `push`: to V8, the list begins as one of small integers, and V8 would then call `push` instead of inlining it.
    this.#orders[this.#orders.length] = order;
    this.size += 1;
    if (order.request.action === 'close') this.closing += 1;
    if (this.#byIntent !== undefined) this.#byIntent.add(order);
    if (this.#byGroup !== undefined) this.#byGroup.add(order);
    if (this.#totals !== undefined) this.#totals.add(order);
    if (this.#byId !== undefined) this.#byId.set(order.request.clientOrderId, order);
    else if (this.#orders.length > FEW) this.#byId = mapById(this.#orders);
  }

  /** Does nothing if the order is not there. */
  remove(order: WorkingOrder): void {
    const { clientOrderId, action } = order.request;
    const orders = this.#orders;
    if (this.#byId !== undefined) {
      if (this.#byId.get(clientOrderId) !== order) return;
      this.#byId.delete(clientOrderId);
      if (this.#byIntent !== undefined) this.#byIntent.remove(order);
      if (this.#byGroup !== undefined) this.#byGroup.remove(order);
      if (this.#totals !== undefined) this.#totals.remove(order);
      if (this.#byId.size === 0) {
        orders.length = 0;
        this.#byId = undefined;
        this.#byIntent = undefined;
        this.#byGroup = undefined;
        this.#totals = undefined;
      }
    } else if (orders[orders.length - 1] === order) {
      // Usually the only order.
      orders.pop();
    } else {
      const index = orders.indexOf(order);
      if (index < 0) return;
      orders.splice(index, 1);
    }
    this.size -= 1;
    if (action === 'close') this.closing -= 1;
  }

  /** Orders of an intent, or with it as origin, in no order. With few orders, the result also contains other orders. */
  ofIntent(intentId: number): Iterable<WorkingOrder> {
    if (this.#byId === undefined) return this.#orders;
    this.#byIntent ??= new OrderIndex(intentsOf, this.#byId.values());
    return this.#byIntent.of(intentId);
  }

  /** Orders of an OCO group, oldest first. */
  ofGroup(group: string): readonly WorkingOrder[] {
    if (this.#byId === undefined) return this.#orders.filter((order) => ocoOf(order) === group);
    this.#byGroup ??= new OrderIndex(groupsOf, this.#byId.values());
    return [...this.#byGroup.of(group)];
  }

  // Questions that are asked with each order. With many orders, none of them searches through all.

  /** Whether any order matches. */
  some(isMeant: OrderQuestion): boolean {
    const totals = this.#totalsOfMany;
    if (totals !== undefined) return totals.those(isMeant).size > 0;
    for (const order of this.#orders) if (isMeant(order)) return true;
    return false;
  }

  /** Orders that match. With few orders a new list; with many a live view. */
  those(isMeant: OrderQuestion): Iterable<WorkingOrder> {
    const totals = this.#totalsOfMany;
    return totals === undefined ? this.#orders.filter(isMeant) : totals.those(isMeant).keys();
  }

  /** The first order that matches. */
  first(isMeant: OrderQuestion): WorkingOrder | undefined {
    const totals = this.#totalsOfMany;
    if (totals === undefined) return this.#orders.find(isMeant);
    for (const order of totals.those(isMeant).keys()) return order;
    return undefined;
  }

  /** Quantity of the matching orders that may still fill. */
  remaining(isMeant: OrderQuestion): Fixed {
    return this.sum(isMeant, remainingOf);
  }

  /** Adds up an amount of the matching orders. A question must always come with the same amount. */
  sum(isMeant: OrderQuestion, amountOf: OrderAmount): Fixed {
    const totals = this.#totalsOfMany;
    if (totals !== undefined) return totals.sum(isMeant, amountOf);
    let sum = 0n;
    for (const order of this.#orders) if (isMeant(order)) sum += amountOf(order);
    return sum;
  }

  get #totalsOfMany(): WorkingTotals | undefined {
    if (this.#byId === undefined) return undefined;
    this.#totals ??= new WorkingTotals(this.#byId);
    return this.#totals;
  }

  find(clientOrderId: ClientOrderId): WorkingOrder | undefined {
    if (this.#byId !== undefined) return this.#byId.get(clientOrderId);
    for (const order of this.#orders)
      if (order.request.clientOrderId === clientOrderId) return order;
    return undefined;
  }
}

const intentsOf = ({ request, origin }: WorkingOrder): readonly number[] => [
  request.intentId,
  origin,
];

function groupsOf(order: WorkingOrder): readonly string[] {
  const group = ocoOf(order);
  return group === undefined ? [] : [group];
}

function mapById(orders: readonly WorkingOrder[]): Map<ClientOrderId, WorkingOrder> {
  return new Map(orders.map((order) => [order.request.clientOrderId, order]));
}
