/** So few are not worth a search for those that no longer count. */
const FEW = 64;

/**
 * Things of which the first is asked for again and again. A binary heap: what no longer counts leaves when it comes to the top, or when it may be half of
 * all, so that neither a thing nor its end looks through the others, and what has ended is not kept.
 */
export class Ranking<T> {
  readonly #isBefore: (one: T, other: T) => boolean;
  readonly #counts: (thing: T) => boolean;
  #heap: T[] = [];
  /** Length at which those that no longer count are looked for. */
  #limit = FEW;

  constructor(isBefore: (one: T, other: T) => boolean, counts: (thing: T) => boolean) {
    this.#isBefore = isBefore;
    this.#counts = counts;
  }

  /** Things held, with those that no longer count and have not left yet. */
  get size(): number {
    return this.#heap.length;
  }

  /** Takes a thing; one that counts again has to be added again. */
  add(thing: T): void {
    if (this.#heap.length >= this.#limit) this.#dropEnded();
    const heap = this.#heap;
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

  /** The first of those that count. */
  first(): T | undefined {
    let top = this.#heap[0];
    while (top !== undefined && !this.#counts(top)) {
      this.#pop();
      top = this.#heap[0];
    }
    return top;
  }

  /** Takes out what {@link first} is. */
  take(): T | undefined {
    const top = this.first();
    if (top !== undefined) this.#pop();
    return top;
  }

  /** Things held, in no order, with those that no longer count and have not left yet. */
  get all(): readonly T[] {
    return this.#heap;
  }

  /** What is before what has changed. */
  rank(): void {
    this.#heap.sort(this.#compare);
  }

  clear(): void {
    this.#heap = [];
  }

  #pop(): void {
    const heap = this.#heap;
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

  /** What is sorted is a heap. */
  #dropEnded(): void {
    this.#heap = this.#heap.filter(this.#counts).sort(this.#compare);
    this.#limit = Math.max(FEW, 2 * this.#heap.length);
  }

  readonly #compare = (one: T, other: T): number =>
    this.#isBefore(one, other) ? -1 : this.#isBefore(other, one) ? 1 : 0;
}
