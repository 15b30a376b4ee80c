import {
  directionOf,
  multiplyFixed,
  type ClientOrderId,
  type Direction,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
  type VenueOrderId,
} from '../../domain/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../venue/index.js';

/** An order as a journal tells of it. */
export interface PastOrder {
  readonly request: OrderRequest;
  /** As far as the venue has told its id. */
  readonly venueOrderId: VenueOrderId | undefined;
  /** Of fills that were told. */
  readonly filledQuantity: Fixed;
  readonly filledNotional: Fixed;
}

/** What a bot's journal knows of its orders over all epochs: what must not be taken for external, nor told twice. */
export interface OrderHistory {
  /** In the order in which they were sent. */
  readonly orders: readonly PastOrder[];
  /** In the order in which they were told; those too that the venue made by itself, which are of none of the orders. */
  readonly fills: readonly FillRecord[];
  /** Funding told of positions in contracts that are open, by {@link sideKey}; negative when paid. */
  readonly funding: ReadonlyMap<string, Fixed>;
}

export const NO_ORDER_HISTORY: OrderHistory = { orders: [], fills: [], funding: new Map() };

/** What of it a session goes on with, once it has begun: so many of the last orders, and no fills. */
export function latestOf({ orders, funding }: OrderHistory, kept: number): OrderHistory {
  return { orders: orders.slice(-kept), fills: [], funding };
}

/** Names one side of an instrument. */
export function sideKey(instrumentId: InstrumentId, direction: Direction): string {
  return `${instrumentId} ${direction}`;
}

/** Folds what was sent, and then what the venue did, both oldest first. */
export function foldOrderHistory(
  requests: Iterable<OrderRequest>,
  updates: Iterable<VenueUpdate>,
): OrderHistory {
  const orders = new Map<ClientOrderId, Mutable<PastOrder>>();
  for (const request of requests)
    orders.set(request.clientOrderId, {
      request,
      venueOrderId: undefined,
      filledQuantity: 0n,
      filledNotional: 0n,
    });
  const fills: FillRecord[] = [];
  const sides = new FundingBySide();
  for (const update of updates) {
    if (!isOrderUpdate(update)) {
      if (update.kind === 'forced-fill') {
        fills.push(update.fill);
        sides.fill(update.fill);
      } else if (update.kind === 'funding') sides.fund(update);
      continue;
    }
    const order = orders.get(update.clientOrderId);
    if (order !== undefined && 'venueOrderId' in update) order.venueOrderId = update.venueOrderId;
    if (update.kind !== 'fill') continue;
    const { fill } = update;
    fills.push(fill);
    sides.fill(fill);
    if (order === undefined) continue;
    order.filledQuantity += fill.quantity;
    order.filledNotional += multiplyFixed(fill.price, fill.quantity);
  }
  return { orders: [...orders.values()], fills, funding: sides.told };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A venue shows the funding of a position since it was opened: what was told of it ends with the position. */
class FundingBySide {
  readonly told = new Map<string, Fixed>();
  readonly #held = new Map<string, Fixed>();

  fill(fill: FillRecord): void {
    const key = sideKey(fill.instrumentId, directionOf(fill));
    const change = fill.action === 'open' ? fill.quantity : -fill.quantity;
    const held = (this.#held.get(key) ?? 0n) + change;
    this.#held.set(key, held);
    if (held <= 0n) this.told.delete(key);
  }

  fund({
    instrumentId,
    direction,
    amount,
  }: Extract<VenueUpdate, { readonly kind: 'funding' }>): void {
    const key = sideKey(instrumentId, direction);
    this.told.set(key, (this.told.get(key) ?? 0n) + amount);
  }
}
