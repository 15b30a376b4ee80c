import type { Fixed, Side } from '../../domain/index.js';
import type { WorkingOrder } from './working-order.js';

/**
 * LIMIT orders of the bot that rest on one instrument, by side, best price first: what a new order must not trade with. Each side is a heap, from which
 * what has ended is taken when it comes to the top: neither an order nor its end looks through the others.
 */
export class OwnQuotes {
  readonly #buys: Quote[] = [];
  readonly #sells: Quote[] = [];

  /** Takes an order that works again where it was taken out, because its cancel was refused. */
  add(order: WorkingOrder): void {
    const { request } = order;
    if (request.type !== 'limit' || !order.canRest) return;
    const { side, limitPrice } = request;
    // Of sells the lowest price is the best.
    push(this.#of(side), { order, rank: side === 'buy' ? limitPrice : -limitPrice });
  }

  /** Best price on a side; undefined where nothing rests there. What is being canceled is not counted: its cancel goes out before what is sent next. */
  best(side: Side): Fixed | undefined {
    const heap = this.#of(side);
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (!top.order.isFinal && top.order.status !== 'canceling')
        return side === 'buy' ? top.rank : -top.rank;
      pop(heap);
    }
    return undefined;
  }

  #of(side: Side): Quote[] {
    return side === 'buy' ? this.#buys : this.#sells;
  }
}

/** The higher the rank, the better the price. */
interface Quote {
  readonly order: WorkingOrder;
  readonly rank: Fixed;
}

function push(heap: Quote[], quote: Quote): void {
  let at = heap.length;
  for (;;) {
    const above = (at - 1) >> 1;
    const parent = at === 0 ? undefined : heap[above];
    if (parent === undefined || parent.rank >= quote.rank) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = quote;
}

/** Removes the top. */
function pop(heap: Quote[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const child = betterChild(heap, at);
    const below = heap[child];
    if (below === undefined || below.rank <= last.rank) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
}

function betterChild(heap: readonly Quote[], at: number): number {
  const left = 2 * at + 1;
  const [one, other] = [heap[left], heap[left + 1]];
  return one !== undefined && other !== undefined && other.rank > one.rank ? left + 1 : left;
}
