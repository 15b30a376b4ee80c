import { isFinalStatus, type EpochMs, type OrderRequest } from '../../domain/index.js';
import { compareIds } from '../../feed/index.js';
import type { VenueOrder, VenueTrade } from '../../venue/index.js';
import type { SeenBefore } from '../sent-orders.js';

/** A server may cut its times to whole seconds, and takes timestamps up to a second ahead of its own. Source: interface family, recvWindow. */
const SECOND_MS = 1_000;

/** An order of ours that nobody has seen at the venue, and when it must have been made if it was. */
export interface SoughtOrder {
  readonly request: OrderRequest;
  /**
   * By what the venue's order is known: by our id, where answers carry it; else by its fields. An order whose request carries no id of
   * ours (an entry of a batch) can be known by its fields only.
   */
  readonly matchBy: 'client-order-id' | 'fields';
  readonly before: SeenBefore;
  /**
   * Between what times of the venue's an order of it was made: from its request until the venue makes none of it any more, wider by what our
   * clock, and the clock that the venue dates orders by, may be off.
   */
  readonly notBefore: EpochMs;
  readonly notAfter: EpochMs;
}

/**
 * How an order of the venue compares with the one that is sought: `exact` names our id; `equal` has the same fields and nothing that
 * speaks against it; `doubtful` could be it, though something does; `different` cannot be it.
 */
export type Likeness = 'exact' | 'equal' | 'doubtful' | 'different';

/**
 * Compares id, contract, side, action, type, price, quantity and time; what the venue leaves out contradicts nothing.
 *
 * A time tells only look-alikes apart, and never alone: a venue may date its orders by another clock than it tells. One that looks older
 * than the request is another order if it has also ended and has not traded since; then it is nothing to anybody.
 *
 * `hasTraded`: since the request.
 */
export function likenessOf(
  order: VenueOrder,
  sought: SoughtOrder,
  { hasTraded }: { readonly hasTraded: boolean },
): Likeness {
  const { request, matchBy } = sought;
  const isOlder = looksOlder(order.createdTime, sought);
  const isNamed = order.clientOrderId === request.clientOrderId;
  // A bot without its journal gives ids again: an order of an earlier life names ours, and differs.
  if (!hasEqualTerms(order, request)) return isNamed && !isOlder ? 'doubtful' : 'different';
  if (isNamed) return 'exact';
  if (isOlder && isFinalStatus(order.status) && !hasTraded) return 'different';
  const isAnonymous = order.clientOrderId === undefined;
  if (matchBy === 'client-order-id') return isAnonymous ? 'doubtful' : 'different';
  return isAnonymous && !isOlder && !contradicts(order, sought) ? 'equal' : 'doubtful';
}

/** What makes an order another order, whatever else it says. */
function hasEqualTerms(order: VenueOrder, request: OrderRequest): boolean {
  // A detail may leave out the type; it then shows a MARKET order by having no price.
  const type = order.type ?? (order.limitPrice === undefined ? 'market' : 'limit');
  return (
    order.instrumentId === request.instrumentId &&
    order.side === request.side &&
    (order.action === undefined || order.action === request.action) &&
    type === request.type &&
    (request.type === 'market' || order.limitPrice === request.limitPrice) &&
    order.quantity === request.quantity
  );
}

/** What a venue may write in its own way, or late: it makes an order doubtful and never another one. */
function contradicts(
  { timeInForce, marginMode, createdTime }: VenueOrder,
  { request, notAfter }: SoughtOrder,
): boolean {
  const hasOtherTerms =
    request.type === 'limit' && timeInForce !== undefined && timeInForce !== request.timeInForce;
  const hasOtherMode =
    marginMode !== undefined &&
    request.marginMode !== undefined &&
    marginMode !== request.marginMode;
  const isLate = createdTime !== undefined && createdTime > notAfter;
  return hasOtherTerms || hasOtherMode || isLate;
}

function looksOlder(time: EpochMs | undefined, { notBefore }: SoughtOrder): boolean {
  return time !== undefined && time < notBefore - SECOND_MS;
}

/** Whether a trade is younger than the request: by its id where one before it is known, else by its time. */
export function isTradedSince(
  { venueTradeId, time }: Pick<VenueTrade, 'venueTradeId' | 'time'>,
  sought: SoughtOrder,
): boolean {
  const { tradeId } = sought.before;
  return tradeId === undefined ? !looksOlder(time, sought) : compareIds(venueTradeId, tradeId) > 0;
}

/** Whether a trade can be one of the order that is sought, by what a trade shows. */
export function canBeTradeOf(trade: VenueTrade, { request }: SoughtOrder): boolean {
  const { instrumentId, side, price, quantity } = trade;
  if (instrumentId !== request.instrumentId || side !== request.side) return false;
  if (request.unit !== 'quote' && quantity > request.quantity) return false;
  if (request.type === 'market') return true;
  return side === 'buy' ? price <= request.limitPrice : price >= request.limitPrice;
}
