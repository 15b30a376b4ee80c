import {
  compareIds,
  formatFixed,
  isFinalStatus,
  WireFormatError,
  type EpochMs,
  type OrderRequest,
} from '../../domain/index.js';
import { areOfOneBot } from '../../engine/index.js';
import type { VenueOrder, VenueTrade } from '../../venue/index.js';
import type { SeenBefore } from '../session/sent-orders.js';

/** A server may cut its times to whole seconds, and takes timestamps up to a second ahead of its own. Source: interface family, recvWindow. */
const SECOND_MS = 1_000;

/** An own order that was not seen at the venue yet, and the time range in which the venue must have made it. */
export interface SoughtOrder {
  readonly request: OrderRequest;
  /**
   * How to recognize the venue's order: by our id, if answers carry it; otherwise by its fields. An order whose request carries no id of ours (an
   * entry of a batch) can only be recognized by its fields.
   */
  readonly matchBy: 'client-order-id' | 'fields';
  readonly before: SeenBefore;
  /**
   * Range of the venue's times for the order: from its request until the venue can no longer make an order of it. Wider by the possible error of our
   * clock, and of the clock with which the venue dates orders.
   */
  readonly notBefore: EpochMs;
  readonly notAfter: EpochMs;
}

/**
 * Likeness of an order at the venue to the sought one: `exact` has our id; `equal` has the same fields and no contradiction; `doubtful` could be it
 * despite a contradiction; `different` cannot be it.
 */
export type Likeness = 'exact' | 'equal' | 'doubtful' | 'different';

/**
 * Compares id, contract, side, action, type, price, quantity and time. A field that the venue leaves out is no contradiction.
 *
 * A time only separates similar orders, and is never enough alone: the clock of a venue's orders may differ from the time that it tells. An order
 * that looks older than the request is different only if it has also ended and has not traded since. Such an order has no effect anyway.
 *
 * `hasTraded`: whether it has traded since the request.
 */
export function likenessOf(
  order: VenueOrder,
  sought: SoughtOrder,
  { hasTraded }: { readonly hasTraded: boolean },
): Likeness {
  const { request, matchBy } = sought;
  const isOlder = looksOlder(order.createdTime, sought);
  const isNamed = order.clientOrderId === request.clientOrderId;
  if (!isNamed && isOfSameBot(order, request)) return 'different';
  // A bot without its journal uses ids again: an order of an earlier life may have our id and other terms.
  if (!hasEqualTerms(order, request)) return isNamed && !isOlder ? 'doubtful' : 'different';
  if (isNamed) return 'exact';
  if (isOlder && isFinalStatus(order.status) && !hasTraded) return 'different';
  const isAnonymous = order.clientOrderId === undefined;
  if (matchBy === 'client-order-id') return isAnonymous ? 'doubtful' : 'different';
  return isAnonymous && !isOlder && !contradicts(order, sought) ? 'equal' : 'doubtful';
}

/**
 * Returns the state of an own order as the venue shows it. Refuses one that has filled more than was ordered, because its fill would be booked.
 *
 * @throws {WireFormatError} `E_WIRE_FORMAT`
 */
export function possibleState<T extends VenueOrder | undefined>(
  { request }: Pick<SoughtOrder, 'request'>,
  state: T,
): T {
  // The ordered quantity may be money. A claimed order was ordered with more than its rest.
  if (state === undefined || request.unit === 'quote') return state;
  const { filledQuantity, quantity, venueOrderId } = state;
  if (filledQuantity <= request.quantity || filledQuantity <= quantity) return state;
  const most = formatFixed(request.quantity);
  throw new WireFormatError(
    'E_WIRE_FORMAT',
    `order ${venueOrderId} of ${request.instrumentId}: expected at most ${most} filled, received ${formatFixed(filledQuantity)} (E_WIRE_FORMAT)`,
  );
}

/** Whether an order has an id that this bot gave, such as one that a trigger of the bot has made: it is no order of others. */
function isOfSameBot({ clientOrderId }: VenueOrder, request: OrderRequest): boolean {
  return clientOrderId !== undefined && areOfOneBot(clientOrderId, request.clientOrderId);
}

/** Whether the fields that never differ for the same order are equal. */
function hasEqualTerms(order: VenueOrder, request: OrderRequest): boolean {
  // An order's detail may leave out the type. A MARKET order then shows no price.
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

/** Whether a field differs that a venue may write in its own way, or late. This makes an order doubtful, not different. */
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

/** Whether a trade is younger than the request: by its id if an earlier trade is known, otherwise by its time. */
export function isTradedSince(
  { venueTradeId, time }: Pick<VenueTrade, 'venueTradeId' | 'time'>,
  sought: SoughtOrder,
): boolean {
  const { tradeId } = sought.before;
  return tradeId === undefined ? !looksOlder(time, sought) : compareIds(venueTradeId, tradeId) > 0;
}

/** Whether a trade's fields allow it to belong to the sought order. */
export function canBeTradeOf(
  trade: VenueTrade,
  { request }: Pick<SoughtOrder, 'request'>,
): boolean {
  const { instrumentId, side, price, quantity } = trade;
  if (instrumentId !== request.instrumentId || side !== request.side) return false;
  if (request.unit !== 'quote' && quantity > request.quantity) return false;
  if (request.type === 'market') return true;
  return side === 'buy' ? price <= request.limitPrice : price >= request.limitPrice;
}
