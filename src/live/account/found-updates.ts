import {
  CANCELED_ON_REQUEST,
  compareIds,
  endedByVenue,
  type EpochMs,
  type FillRecord,
  type OrderRequest,
} from '../../domain/index.js';
import type { OrderUpdate, VenueOrder } from '../../venue/index.js';
import type { ForcedFillUpdate } from '../margin/forced-trades.js';
import type { SentOrderState } from '../session/sent-orders.js';

/** An update with its place in the order of one reading. */
export interface Found {
  readonly update: OrderUpdate | ForcedFillUpdate;
  readonly tradeId: string | undefined;
  /** Time that counts for the order, if it differs from the update's own time. `tradeId` is then the id of the close that followed. */
  readonly at?: EpochMs;
}

/**
 * Sorts updates by time. Within one time, closes by the venue come last: each after the ends of orders that led to it, and before the fills of its
 * instrument with a higher id.
 */
export function inTellingOrder(found: readonly Found[]): readonly Found[] {
  const rankOf = ranksOf(found);
  return found.toSorted(
    (a, b) =>
      timeOf(a) - timeOf(b) ||
      rankOf(a) - rankOf(b) ||
      byTrade(a, b) ||
      Number(a.update.kind === 'forced-fill') - Number(b.update.kind === 'forced-fill'),
  );
}

/** Id of the newest execution; undefined if there is none. */
export function lastTradeOf(news: readonly Found[]): string | undefined {
  return news
    .flatMap(({ tradeId }) => tradeId ?? [])
    .toSorted(compareIds)
    .at(-1);
}

function timeOf({ update, at }: Found): EpochMs {
  return at ?? update.eventTime;
}

function byTrade({ tradeId: one }: Found, { tradeId: other }: Found): number {
  return one === undefined || other === undefined ? 0 : compareIds(one, other);
}

/**
 * Ranks within one time: 0 comes first; 1 closes by the venue, 2 fills of that instrument after them, 3 closes after these fills, and so on. The end of an order
 * has the rank of its last fill.
 */
function ranksOf(found: readonly Found[]): (one: Found) => number {
  const ranks = new Map<Found, number>();
  const latest = new Map<string, number>();
  const ofOrders = new Map<string, number>();
  const hasForced = found.some(({ update }) => update.kind === 'forced-fill');
  const trades = found.filter(({ tradeId }) => hasForced && tradeId !== undefined);
  for (const one of trades.toSorted(byTrade)) {
    const { update } = one;
    if (update.kind !== 'forced-fill' && update.kind !== 'fill') continue;
    const place = `${update.fill.instrumentId} ${String(timeOf(one))}`;
    const before = latest.get(place) ?? 0;
    const isForced = before % 2 === 1;
    const rank = (update.kind === 'forced-fill') === isForced ? before : before + 1;
    ranks.set(one, rank);
    latest.set(place, rank);
    ofOrders.set(orderAt(one), rank);
  }
  return (one) => ranks.get(one) ?? (one.at === undefined ? (ofOrders.get(orderAt(one)) ?? 0) : 1);
}

/** The order of an update, and its time. */
function orderAt(one: Found): string {
  const { clientOrderId } = one.update.kind === 'forced-fill' ? one.update.fill : one.update;
  return `${clientOrderId} ${String(timeOf(one))}`;
}

export function foundForced(forced: readonly ForcedFillUpdate[]): readonly Found[] {
  return forced.map((update) => ({ update, tradeId: update.fill.venueTradeId }));
}

/**
 * Adds closes by the venue to other news. Before the venue closes a position it cancels the contract's orders, so their ends come first, as in a
 * backtest.
 */
export function withForced(
  news: readonly Found[],
  forced: readonly ForcedFillUpdate[],
): readonly Found[] {
  const closes = foundForced(forced);
  const [first] = inTellingOrder(closes);
  if (first === undefined) return news;
  const { tradeId } = first;
  const at = timeOf(first);
  return [
    ...news.map((found) => (found.update.kind === 'ended' ? { ...found, at, tradeId } : found)),
    ...closes,
  ];
}

/**
 * Turns fills of an order into updates for the engine, and counts them as reported. `isOver`: whether the last of them fills the order completely.
 */
export function foundFills(
  order: SentOrderState,
  fills: readonly FillRecord[],
  isOver: boolean,
): Found[] {
  const { request, venueOrderId } = order;
  const { clientOrderId } = request;
  return fills.map((fill, index) => {
    order.filled += fill.quantity;
    const isWhole = request.unit !== 'quote' && order.filled >= request.quantity;
    const isFilled = index === fills.length - 1 && (isWhole || isOver);
    const { eventTime, venueTradeId } = fill;
    return {
      update: {
        kind: 'fill',
        clientOrderId,
        fill,
        isFilled,
        ...(venueOrderId && { venueOrderId }),
        eventTime,
      },
      tradeId: venueTradeId,
    };
  });
}

/** The update for the end of an order, from the state that the venue shows. */
export function endOf(
  { request, venueOrderId, isCancelRequested }: SentOrderState,
  { status, filledQuantity }: VenueOrder,
  eventTime: EpochMs,
): OrderUpdate {
  const { clientOrderId } = request;
  const ended = status === 'rejected' || status === 'expired' ? status : 'canceled';
  const isOurs = isCancelRequested && ended === 'canceled';
  const reason = isOurs ? CANCELED_ON_REQUEST : endedByVenue(status, request, filledQuantity > 0n);
  const id = venueOrderId && { venueOrderId };
  return { kind: 'ended', clientOrderId, status: ended, reason, ...id, eventTime };
}

/** Whether an update shows that the order has rested: a maker fill, or the end of a GTC order by a cancel. A liquidation cancels the orders of its contract. */
export function showsRest(update: Found['update'], request: OrderRequest): boolean {
  if (update.kind === 'forced-fill' || update.clientOrderId !== request.clientOrderId) return false;
  if (update.kind === 'fill') return update.fill.liquidity === 'maker';
  const staysThere = request.type === 'limit' && request.timeInForce === 'GTC';
  return staysThere && update.kind === 'ended' && update.status === 'canceled';
}
