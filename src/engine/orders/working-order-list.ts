import type { ClientOrderId } from '../../domain/index.js';
import type { WorkingOrder } from './working-order.js';

/** Up to so many orders a look through all of them is faster than a map. */
const FEW = 16;

/**
 * Orders that may still fill, oldest first. Mostly there are none or one, and one comes and goes with each trade: a map or set would make a new
 * table each time it is emptied, so there is a map only while there are many.
 */
export class WorkingOrderList {
  readonly #orders: WorkingOrder[] = [];
  #byId: Map<ClientOrderId, WorkingOrder> | undefined;

  get size(): number {
    return this.#orders.length;
  }

  /** The list itself: it changes as orders come and go. */
  get all(): readonly WorkingOrder[] {
    return this.#orders;
  }

  add(order: WorkingOrder): void {
    // Not pushed: the list begins as one of small integers to the compiler, which then calls for what it else writes out.
    this.#orders[this.#orders.length] = order;
    if (this.#byId !== undefined) this.#byId.set(order.request.clientOrderId, order);
    else if (this.#orders.length > FEW) this.#byId = mapById(this.#orders);
  }

  remove(order: WorkingOrder): void {
    const orders = this.#orders;
    // Mostly the only one.
    if (orders[orders.length - 1] === order) orders.pop();
    else {
      const index = orders.indexOf(order);
      if (index < 0) return;
      orders.splice(index, 1);
    }
    if (orders.length === 0) this.#byId = undefined;
    else this.#byId?.delete(order.request.clientOrderId);
  }

  find(clientOrderId: ClientOrderId): WorkingOrder | undefined {
    if (this.#byId !== undefined) return this.#byId.get(clientOrderId);
    for (const order of this.#orders)
      if (order.request.clientOrderId === clientOrderId) return order;
    return undefined;
  }
}

function mapById(orders: readonly WorkingOrder[]): Map<ClientOrderId, WorkingOrder> {
  return new Map(orders.map((order) => [order.request.clientOrderId, order]));
}
