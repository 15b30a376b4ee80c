import type { RestingOrder } from './resting-order.js';

/** Levels of the orders of one market, by the side from which its path comes to them. What has ended is taken out when it comes to the top of its heap. */
export class NearestLevels {
  /** The highest first. */
  readonly #below: RestingOrder[] = [];
  /** The lowest first. */
  readonly #above: RestingOrder[] = [];

  add(order: RestingOrder): void {
    push(order.reachSide === 'below' ? this.#below : this.#above, order);
  }

  /** Levels between which none is reached of the orders that still rest. */
  find(rests: (order: RestingOrder) => boolean): { readonly low: number; readonly high: number } {
    return {
      low: top(this.#below, rests)?.levelNumber ?? Number.NEGATIVE_INFINITY,
      high: top(this.#above, rests)?.levelNumber ?? Number.POSITIVE_INFINITY,
    };
  }
}

/** The higher, the nearer to the market. */
function rankOf({ reachSide, levelNumber }: RestingOrder): number {
  return reachSide === 'below' ? levelNumber : -levelNumber;
}

function top(
  heap: RestingOrder[],
  rests: (order: RestingOrder) => boolean,
): RestingOrder | undefined {
  let first = heap[0];
  while (first !== undefined && !rests(first)) {
    pop(heap);
    first = heap[0];
  }
  return first;
}

function push(heap: RestingOrder[], order: RestingOrder): void {
  const rank = rankOf(order);
  let at = heap.length;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above] as RestingOrder;
    if (rankOf(parent) >= rank) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = order;
}

function pop(heap: RestingOrder[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  const rank = rankOf(last);
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const [one, other] = [heap[left], heap[left + 1]];
    if (one === undefined) break;
    const isOther = other !== undefined && rankOf(other) > rankOf(one);
    const below = isOther ? other : one;
    if (rankOf(below) <= rank) break;
    heap[at] = below;
    at = isOther ? left + 1 : left;
  }
  heap[at] = last;
}
