import type { EpochMs, OrderRequest } from '../../../domain/index.js';
import type { VenueOrder, VenueTrade } from '../../../venue/index.js';

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
  /** Venue's time of the request, less what our clock may be off. */
  readonly notBefore: EpochMs;
  /** Latest time at which the venue makes an order of the request, and shows it. */
  readonly visibleBy: EpochMs;
}

/**
 * How an order of the venue compares with the one that is sought: `exact` names our id; `equal` has the same fields and nothing that
 * speaks against it; `doubtful` could be it, though something does; `different` cannot be it.
 */
export type Likeness = 'exact' | 'equal' | 'doubtful' | 'different';

/** Compares contract, side, action, type, price, quantity and time; what the venue leaves out contradicts nothing. */
export function likenessOf(order: VenueOrder, sought: SoughtOrder): Likeness {
  const { request, matchBy } = sought;
  // Older than the request: also when it names our id, which a bot without its journal gives again.
  if (isOlder(order.createdTime, sought)) return 'different';
  const isNamed = order.clientOrderId === request.clientOrderId;
  if (!hasEqualTerms(order, request)) return isNamed ? 'doubtful' : 'different';
  if (isNamed) return 'exact';
  const isAnonymous = order.clientOrderId === undefined;
  if (matchBy === 'client-order-id') return isAnonymous ? 'doubtful' : 'different';
  return isAnonymous && !contradicts(order, sought) ? 'equal' : 'doubtful';
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
  { request, visibleBy }: SoughtOrder,
): boolean {
  const hasOtherTerms =
    request.type === 'limit' && timeInForce !== undefined && timeInForce !== request.timeInForce;
  const hasOtherMode =
    marginMode !== undefined &&
    request.marginMode !== undefined &&
    marginMode !== request.marginMode;
  const isLate = createdTime !== undefined && createdTime > visibleBy;
  return hasOtherTerms || hasOtherMode || isLate;
}

function isOlder(time: EpochMs | undefined, { notBefore }: SoughtOrder): boolean {
  return time !== undefined && time < notBefore - SECOND_MS;
}

/** Whether a trade can be one of the order that is sought, by what a trade shows. */
export function canBeTradeOf(trade: VenueTrade, sought: SoughtOrder): boolean {
  const { request } = sought;
  const { instrumentId, side, price, quantity, time } = trade;
  if (instrumentId !== request.instrumentId || side !== request.side) return false;
  if (isOlder(time, sought)) return false;
  if (request.unit !== 'quote' && quantity > request.quantity) return false;
  if (request.type === 'market') return true;
  return side === 'buy' ? price <= request.limitPrice : price >= request.limitPrice;
}
