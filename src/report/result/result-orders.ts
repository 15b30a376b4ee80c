import type { ResultOrder } from './result-schema.js';

/**
 * Finds orders of a result by their ids. Fills mostly come in the order of their orders. So the last found order and the one after it are tried first: a
 * lookup among all orders takes as long as writing the fill.
 */
export class ResultOrders {
  readonly #orders: readonly ResultOrder[];
  #latest = 0;
  #places: ReadonlyMap<string, number> | undefined;

  constructor(orders: readonly ResultOrder[]) {
    this.#orders = orders;
  }

  /** Undefined if no order has this id: a run may keep only its last orders. */
  find(id: string): ResultOrder | undefined {
    const latest = this.#orders[this.#latest];
    if (latest?.id === id) return latest;
    const next = this.#orders[this.#latest + 1];
    if (next?.id === id) {
      this.#latest += 1;
      return next;
    }
    this.#places ??= new Map(this.#orders.map((order, place) => [order.id, place]));
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    this.#latest = place;
    return this.#orders[place];
  }
}
