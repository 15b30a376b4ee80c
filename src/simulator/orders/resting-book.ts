import type { ClientOrderId, InstrumentId } from '../../domain/index.js';
import type { InstrumentMarket } from '../instrument-market.js';
import { NearestLevels } from '../path/nearest-levels.js';
import type { RestingOrder } from './resting-order.js';

/** Up to this number of orders, a loop through all of them is faster than an index. */
const FEW = 16;

const NONE: readonly never[] = [];

/** Lookups that avoid loops through many orders. */
interface Index {
  /** The orders of each client order id, oldest first. Ids need not be unique at this venue. */
  readonly byId: Map<ClientOrderId, RestingOrder[]>;
  readonly counts: Map<InstrumentId, number>;
  readonly levels: Map<InstrumentMarket, NearestLevels>;
  /** Orders that take the available volume now, or did so before. */
  readonly takers: Set<RestingOrder>;
}

/**
 * LIMIT orders in the venue's book, oldest first. With many orders it keeps the nearest levels: if the path does not reach them, it reaches no order.
 */
export class RestingBook {
  readonly #orders = new Set<RestingOrder>();
  readonly all: ReadonlySet<RestingOrder> = this.#orders;
  #index: Index | undefined;

  /** Orders of one instrument, oldest first. */
  of(instrumentId: InstrumentId): readonly RestingOrder[] {
    if (this.#orders.size === 0) return NONE;
    return [...this.#orders].filter(({ request }) => request.instrumentId === instrumentId);
  }

  countOf(instrumentId: InstrumentId): number {
    if (this.#index !== undefined) return this.#index.counts.get(instrumentId) ?? 0;
    let count = 0;
    for (const { request } of this.#orders) if (request.instrumentId === instrumentId) count += 1;
    return count;
  }

  /** The latest order with this id. */
  find(clientOrderId: ClientOrderId): RestingOrder | undefined {
    if (this.#index !== undefined) return this.#index.byId.get(clientOrderId)?.at(-1);
    let latest: RestingOrder | undefined;
    for (const order of this.#orders)
      if (order.request.clientOrderId === clientOrderId) latest = order;
    return latest;
  }

  has(order: RestingOrder): boolean {
    return this.#orders.has(order);
  }

  add(order: RestingOrder): void {
    this.#orders.add(order);
    if (this.#index === undefined) {
      if (this.#orders.size > FEW) this.#index = indexOf(this.#orders);
    } else enter(this.#index, this.#orders, order);
  }

  delete(order: RestingOrder): void {
    if (!this.#orders.delete(order) || this.#index === undefined) return;
    if (this.#orders.size === 0) this.#index = undefined;
    else leave(this.#index, order);
  }

  /** Whether the path may reach an order in an open candle, or an order takes the available volume. `false` is certain. */
  get mayAct(): boolean {
    if (this.#index === undefined) return this.#orders.size > 0;
    if (this.takes) return true;
    for (const market of this.#index.levels.keys()) if (this.mayReach(market)) return true;
    return false;
  }

  /** Whether the path of a market's open candle may reach an order. `false` is certain. */
  mayReach(market: InstrumentMarket): boolean {
    if (this.#index === undefined) {
      for (const order of this.#orders)
        if (order.market === market && order.mayBeReached) return true;
      return false;
    }
    const { low, high } = this.nearest(market);
    return market.mayReach(low, 'below') || market.mayReach(high, 'above');
  }

  /** Whether any order takes the available volume. */
  get takes(): boolean {
    if (this.#index === undefined) {
      for (const order of this.#orders) if (order.takes) return true;
      return false;
    }
    for (const order of this.#index.takers) {
      if (order.takes) return true;
      this.#index.takers.delete(order);
    }
    return false;
  }

  /** The nearest levels of a market: between them no order is reached. Infinite if there is none. */
  nearest(market: InstrumentMarket): { readonly low: number; readonly high: number } {
    const levels = this.#index?.levels.get(market);
    if (levels !== undefined) return levels.find();
    let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    if (this.#index === undefined)
      for (const order of this.#orders) {
        if (order.market !== market) continue;
        if (order.reachSide === 'below') low = Math.max(low, order.levelNumber);
        else high = Math.min(high, order.levelNumber);
      }
    return { low, high };
  }
}

function indexOf(orders: ReadonlySet<RestingOrder>): Index {
  const index: Index = {
    byId: new Map(),
    counts: new Map(),
    levels: new Map(),
    takers: new Set(),
  };
  for (const order of orders) enter(index, orders, order);
  return index;
}

function enter(
  { byId, counts, levels, takers }: Index,
  orders: ReadonlySet<RestingOrder>,
  order: RestingOrder,
): void {
  const { clientOrderId, instrumentId } = order.request;
  const same = byId.get(clientOrderId);
  if (same === undefined) byId.set(clientOrderId, [order]);
  else same.push(order);
  counts.set(instrumentId, (counts.get(instrumentId) ?? 0) + 1);
  let own = levels.get(order.market);
  if (own === undefined)
    levels.set(order.market, (own = new NearestLevels((one) => orders.has(one))));
  own.add(order);
  if (order.takes) takers.add(order);
}

function leave({ byId, counts, takers }: Index, order: RestingOrder): void {
  const { clientOrderId, instrumentId } = order.request;
  const same = byId.get(clientOrderId) ?? [];
  if (same.length > 1) same.splice(same.indexOf(order), 1);
  else byId.delete(clientOrderId);
  counts.set(instrumentId, (counts.get(instrumentId) ?? 0) - 1);
  takers.delete(order);
}
