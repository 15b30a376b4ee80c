import type { ClientOrderId, InstrumentId } from '../domain/index.js';
import type { InstrumentMarket } from './instrument-market.js';
import { NearestLevels } from './nearest-levels.js';
import type { RestingOrder } from './resting-order.js';

/** Up to so many orders a look through all of them is faster than what would spare it. */
const FEW = 16;

const NONE: readonly never[] = [];

/** What spares looks through many orders. */
interface Index {
  /** Client order ids need not be unique at this venue: of each the orders, oldest first. */
  readonly byId: Map<ClientOrderId, RestingOrder[]>;
  readonly counts: Map<InstrumentId, number>;
  readonly levels: Map<InstrumentMarket, NearestLevels>;
  /** Those that take what volume there is, or did. */
  readonly takers: Set<RestingOrder>;
}

/** LIMIT orders in the venue's book, oldest first. Of many it knows which is nearest to the market: where its path does not come there, it comes to none. */
export class RestingBook {
  readonly #orders = new Set<RestingOrder>();
  #index: Index | undefined;

  get all(): ReadonlySet<RestingOrder> {
    return this.#orders;
  }

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

  /** Whether a path may come to an order in an open candle, or an order takes what volume there is; never wrong when it says no. */
  get mayAct(): boolean {
    if (this.#index === undefined) return this.#orders.size > 0;
    if (this.takes) return true;
    for (const market of this.#index.levels.keys()) if (this.mayReach(market)) return true;
    return false;
  }

  /** Whether the path of the open candle of a market may come to an order; never wrong when it says no. */
  mayReach(market: InstrumentMarket): boolean {
    if (this.#index === undefined) {
      for (const order of this.#orders)
        if (order.market === market && order.mayBeReached) return true;
      return false;
    }
    const { low, high } = this.nearest(market);
    return market.mayReach(low, 'below') || market.mayReach(high, 'above');
  }

  /** Whether any order takes what volume there is. */
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

  /** Levels of a market between which no order is reached; infinite where there is none. */
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
