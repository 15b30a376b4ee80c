import type { WorkingOrder } from './working-order.js';

const NONE: ReadonlySet<never> = new Set<never>();

/** Orders by keys. The keys of an order must not change. Orders of one key are in order of age. */
export class OrderIndex<Key> {
  readonly #keysOf: (order: WorkingOrder) => readonly Key[];
  readonly #orders = new Map<Key, Set<WorkingOrder>>();

  constructor(keysOf: (order: WorkingOrder) => readonly Key[], orders: Iterable<WorkingOrder>) {
    this.#keysOf = keysOf;
    for (const order of orders) this.add(order);
  }

  add(order: WorkingOrder): void {
    for (const key of this.#keysOf(order)) {
      const own = this.#orders.get(key);
      if (own === undefined) this.#orders.set(key, new Set([order]));
      else own.add(order);
    }
  }

  remove(order: WorkingOrder): void {
    for (const key of this.#keysOf(order)) {
      const own = this.#orders.get(key);
      own?.delete(order);
      if (own?.size === 0) this.#orders.delete(key);
    }
  }

  /** The live set, which changes as orders come and go, or an empty set. */
  of(key: Key): ReadonlySet<WorkingOrder> {
    return this.#orders.get(key) ?? NONE;
  }
}
