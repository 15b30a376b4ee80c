import type { ClientOrderId, Fixed } from '../../domain/index.js';
import { OrderIndex } from './order-index.js';
import { ocoOf } from './order-questions.js';
import type { WorkingOrder } from './working-order.js';
import {
  remainingOf,
  WorkingTotals,
  type OrderAmount,
  type OrderQuestion,
} from './working-totals.js';

/** Up to so many orders a look through all of them is faster than a map. */
const FEW = 16;

/**
 * Orders that may still fill, oldest first. Mostly there are none or one, and one comes and goes with each trade: a map or set would make a new
 * table each time it is emptied, so there is a map only while there are many. Of many, those that go stay in the list until somebody goes through it.
 */
export class WorkingOrderList {
  readonly #orders: WorkingOrder[] = [];
  #byId: Map<ClientOrderId, WorkingOrder> | undefined;
  /** By the number of the intent, and by that of the one that it goes on with; made when it is first asked for of many. */
  #byIntent: OrderIndex<number> | undefined;
  /** By the group of which one order cancels the others; made as the one before. */
  #byGroup: OrderIndex<string> | undefined;
  /** Made when it is first asked for of many. */
  #totals: WorkingTotals | undefined;
  #closing = 0;

  get size(): number {
    return this.#byId?.size ?? this.#orders.length;
  }

  /** How many of them close a position. */
  get closing(): number {
    return this.#closing;
  }

  /** The list itself: it changes as orders come and go. */
  get all(): readonly WorkingOrder[] {
    if (this.#byId !== undefined && this.#byId.size < this.#orders.length) this.#tidy(this.#byId);
    return this.#orders;
  }

  /** Takes out those that have gone, in place. */
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
    // Not pushed: the list begins as one of small integers to the compiler, which then calls for what it else writes out.
    this.#orders[this.#orders.length] = order;
    if (order.request.action === 'close') this.#closing += 1;
    if (this.#byIntent !== undefined) this.#byIntent.add(order);
    if (this.#byGroup !== undefined) this.#byGroup.add(order);
    if (this.#totals !== undefined) this.#totals.add(order);
    if (this.#byId !== undefined) this.#byId.set(order.request.clientOrderId, order);
    else if (this.#orders.length > FEW) this.#byId = mapById(this.#orders);
  }

  remove(order: WorkingOrder): void {
    if (!this.#take(order)) return;
    if (order.request.action === 'close') this.#closing -= 1;
  }

  /** Whether it was there. */
  #take(order: WorkingOrder): boolean {
    const { clientOrderId } = order.request;
    const orders = this.#orders;
    if (this.#byId !== undefined) {
      if (this.#byId.get(clientOrderId) !== order) return false;
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
      return true;
    }
    // Mostly the only one.
    if (orders[orders.length - 1] === order) {
      orders.pop();
      return true;
    }
    const index = orders.indexOf(order);
    if (index >= 0) orders.splice(index, 1);
    return index >= 0;
  }

  /** Those of an intent, or that go on with it, among others where there are few; in no order. */
  ofIntent(intentId: number): Iterable<WorkingOrder> {
    if (this.#byId === undefined) return this.#orders;
    this.#byIntent ??= new OrderIndex(intentsOf, this.#byId.values());
    return this.#byIntent.of(intentId);
  }

  /** Those of the group of which one order cancels the others, oldest first. */
  ofGroup(group: string): readonly WorkingOrder[] {
    if (this.#byId === undefined) return this.#orders.filter((order) => ocoOf(order) === group);
    this.#byGroup ??= new OrderIndex(groupsOf, this.#byId.values());
    return [...this.#byGroup.of(group)];
  }

  // Questions that are asked with each order: of many, none of them looks through all.

  /** Whether any is meant. */
  some(isMeant: OrderQuestion): boolean {
    const totals = this.#totalsOfMany;
    if (totals !== undefined) return totals.those(isMeant).size > 0;
    for (const order of this.#orders) if (isMeant(order)) return true;
    return false;
  }

  /** Those that are meant. Of few it is a list of its own; of many it changes with them. */
  those(isMeant: OrderQuestion): Iterable<WorkingOrder> {
    const totals = this.#totalsOfMany;
    return totals === undefined ? this.#orders.filter(isMeant) : totals.those(isMeant).keys();
  }

  /** The first of those that are meant. */
  first(isMeant: OrderQuestion): WorkingOrder | undefined {
    const totals = this.#totalsOfMany;
    if (totals === undefined) return this.#orders.find(isMeant);
    for (const order of totals.those(isMeant).keys()) return order;
    return undefined;
  }

  /** What of those that are meant may still fill. */
  remaining(isMeant: OrderQuestion): Fixed {
    return this.sum(isMeant, remainingOf);
  }

  /** Adds up an amount of those that are meant; with one question always the same amount. */
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
