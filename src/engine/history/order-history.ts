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

/** An order as the journal records it. */
export interface PastOrder {
  readonly request: OrderRequest;
  /** Undefined if the journal has no update of the venue with the id. */
  readonly venueOrderId: VenueOrderId | undefined;
  /** Sum of the fills in the journal. */
  readonly filledQuantity: Fixed;
  readonly filledNotional: Fixed;
}

/** A bot's orders over all epochs of its journal. These orders must not count as external, and these fills and funding must not be reported again. */
export interface OrderHistory {
  /** In the order in which the bot sent them. */
  readonly orders: readonly PastOrder[];
  /** In the order in which the venue reported them. Forced fills are included; they belong to none of the orders. */
  readonly fills: readonly FillRecord[];
  /** Funding reported so far for open positions in contracts, by {@link sideKey}; negative when paid. */
  readonly funding: ReadonlyMap<string, Fixed>;
}

/** The part that a session still needs after its start: the last `kept` orders and the funding, without fills. */
export function latestOf({ orders, funding }: OrderHistory, kept: number): OrderHistory {
  return { orders: orders.slice(-kept), fills: [], funding };
}

/** The key of one side of an instrument. */
export function sideKey(instrumentId: InstrumentId, direction: Direction): string {
  return `${instrumentId} ${direction}`;
}

/** Builds the history from all sent requests, then all updates of the venue, both oldest first. */
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

/** Funding per open position. A venue shows the funding since the position was opened, so the sum is dropped when the position ends. */
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
