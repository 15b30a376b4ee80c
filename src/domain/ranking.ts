/** With fewer items than this, a clean-up is not worth its cost. */
const FEW = 64;

/**
 * A priority queue (binary heap) for items that may stop counting at any time. Such items leave when they reach the top, or in a clean-up when they may be
 * half of all items. So neither adding an item nor its end searches the others, and the memory stays small.
 */
export class Ranking<T> {
  readonly #isBefore: (one: T, other: T) => boolean;
  readonly #counts: (thing: T) => boolean;
  /** The stored items, the first at the top. May include items that no longer count, until the next clean-up. Changed by this class alone. */
  all: T[] = [];
  /** Length at which a clean-up removes the items that no longer count. */
  #limit = FEW;

  constructor(isBefore: (one: T, other: T) => boolean, counts: (thing: T) => boolean) {
    this.#isBefore = isBefore;
    this.#counts = counts;
  }

  /** Adds an item. An item that starts to count again has to be added again. */
  add(thing: T): void {
    if (this.all.length >= this.#limit) this.#dropEnded();
    const heap = this.all;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as T;
      if (!this.#isBefore(thing, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = thing;
  }

  /** The first of the items that count; undefined if no item does. */
  first(): T | undefined {
    let top = this.all[0];
    while (top !== undefined && !this.#counts(top)) {
      this.#pop();
      top = this.all[0];
    }
    return top;
  }

  /** Removes and returns {@link first}. */
  take(): T | undefined {
    const top = this.first();
    if (top !== undefined) this.#pop();
    return top;
  }

  /** Call after the order of items has changed: sorts them anew. */
  rank(): void {
    this.all.sort(this.#compare);
  }

  clear(): void {
    this.all = [];
  }

  #pop(): void {
    const heap = this.all;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = child + 1;
      if (right < heap.length && this.#isBefore(heap[right] as T, heap[child] as T)) child = right;
      const below = heap[child] as T;
      if (!this.#isBefore(below, last)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }

  /** Removes the items that no longer count. A sorted list is a valid heap. */
  #dropEnded(): void {
    this.all = this.all.filter(this.#counts).sort(this.#compare);
    this.#limit = Math.max(FEW, 2 * this.all.length);
  }

  readonly #compare = (one: T, other: T): number =>
    this.#isBefore(one, other) ? -1 : this.#isBefore(other, one) ? 1 : 0;
}
