import {
  endedByVenue,
  isFinalStatus,
  type Asset,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type OrderReason,
  type OrderRequest,
} from '../../domain/index.js';
import type { EstimateFee, FillBook } from '../../feed/index.js';
import type { OrderUpdate, VenueOrder, VenueTrade } from '../../venue/index.js';
import type { BelievedOrder } from './belief.js';

/** What the venue says of one order of the bot. */
export interface OrderFindings {
  /**
   * Undefined when the venue does not know the order's id: it works nowhere and never will. Say so only after it did not know it twice,
   * as long apart as something may be missing from its lists.
   */
  readonly state: VenueOrder | undefined;
  /** Executions that were read, also of other orders. */
  readonly trades: readonly VenueTrade[];
  /** When this was read. */
  readonly at: EpochMs;
}

export interface OrderNews {
  /** What the engine is to be told, in order. */
  readonly updates: readonly OrderUpdate[];
  /** Base or contracts that the venue has filled and no execution explains: they are read again, and the end is not told before. */
  readonly unexplained: Fixed;
}

/**
 * What the engine is to be told of one of its orders: that the venue has it, its fills, each once, and then its end. An end is told only
 * when every fill is: a fill after it could not be booked.
 *
 * `book` must have been given what was told of the order before (`FillBook.restore`). With `estimateFee`, what executions do not explain of
 * an order that has ended is booked from its sum: for venues that do not serve them any more.
 */
export function newsOfOrder(
  order: BelievedOrder,
  findings: OrderFindings,
  {
    book,
    feeAsset,
    estimateFee,
  }: {
    readonly book: FillBook;
    /** In what fees are paid where a trade does not say. */
    readonly feeAsset: Asset;
    readonly estimateFee?: EstimateFee;
  },
): OrderNews {
  const { request } = order;
  const { clientOrderId, instrumentId, action } = request;
  const { state, trades, at } = findings;
  const venueOrderId = order.venueOrderId ?? state?.venueOrderId;
  if (venueOrderId === undefined) return { updates: [], unexplained: 0n };
  const updates: OrderUpdate[] = [];
  if (state !== undefined && isUnconfirmed(order)) {
    const eventTime = state.createdTime ?? at;
    updates.push({ kind: 'accepted', clientOrderId, venueOrderId, eventTime });
  }
  const isOver = state === undefined || isFinalStatus(state.status);
  // How much of a quote amount a fill leaves is known when the order has ended.
  if (!isOver && request.unit === 'quote')
    return { updates, unexplained: state.filledQuantity - order.filledQuantity };
  const fills = [
    ...book.register({ clientOrderId, venueOrderId, instrumentId, action, feeAsset }),
    ...book.take(trades.filter((trade) => trade.venueOrderId === venueOrderId)),
  ];
  if (state !== undefined && isOver && estimateFee !== undefined)
    fills.push(...book.book(state, { estimateFee, at }));
  const unexplained = state === undefined ? 0n : book.unexplained(state);
  const isFilled = (state?.status === 'filled' && unexplained === 0n) || isWhole(order, fills);
  updates.push(...tellFills(fills, isFilled));
  if (isOver && unexplained === 0n && !(isFilled && fills.length > 0))
    updates.push(endOf(order, findings, order.filledQuantity > 0n || fills.length > 0));
  return { updates, unexplained };
}

/** What the engine is to be told of an order that was proved absent: it never reached the venue, and is never sent late. */
export function newsOfAbsence(
  { request }: Pick<BelievedOrder, 'request'>,
  at: EpochMs,
): OrderUpdate {
  return {
    kind: 'ended',
    clientOrderId: request.clientOrderId,
    status: 'rejected',
    reason: { code: 'not-submitted', text: 'the order never reached the venue' },
    eventTime: at,
  };
}

/**
 * What the engine is to be told of an order that is lost with its instrument: nobody can say what became of it, and it counts as ended without a trade. An
 * execution that shows when the instrument is back is then one that nobody ordered.
 */
export function newsOfLoss({ request }: Pick<BelievedOrder, 'request'>, at: EpochMs): OrderUpdate {
  const { clientOrderId, instrumentId } = request;
  const text = `${instrumentId} is gone from the venue: nobody can say what became of the order, and it counts as ended without a trade`;
  return {
    kind: 'ended',
    clientOrderId,
    status: 'rejected',
    reason: { code: 'gone-unknown', text },
    eventTime: at,
  };
}

function isUnconfirmed({ status, venueOrderId }: BelievedOrder): boolean {
  return venueOrderId === undefined || status === 'unknown' || status === 'submitting';
}

function isWhole(
  { request, filledQuantity }: BelievedOrder,
  fills: readonly FillRecord[],
): boolean {
  if (request.unit === 'quote') return false;
  const filled = fills.reduce((sum, { quantity }) => sum + quantity, filledQuantity);
  return filled >= request.quantity;
}

function tellFills(fills: readonly FillRecord[], isFilled: boolean): readonly OrderUpdate[] {
  return fills.map((fill, index) => ({
    kind: 'fill',
    clientOrderId: fill.clientOrderId,
    fill,
    isFilled: isFilled && index === fills.length - 1,
    eventTime: fill.eventTime,
  }));
}

function endOf(
  { request }: BelievedOrder,
  { state, at }: OrderFindings,
  hasFills: boolean,
): OrderUpdate {
  const { clientOrderId } = request;
  const status = state?.status;
  // What has traded was not rejected, whatever the venue calls its end.
  const isPlain = status === 'expired' || (status === 'rejected' && !hasFills);
  return {
    kind: 'ended',
    clientOrderId,
    status: isPlain ? status : 'canceled',
    reason: reasonOf(status, request, hasFills),
    eventTime: at,
  };
}

function reasonOf(
  status: VenueOrder['status'] | undefined,
  request: OrderRequest,
  hasFills: boolean,
): OrderReason {
  return status === undefined
    ? { code: 'not-at-venue', text: 'the venue does not know the order any more' }
    : endedByVenue(status, request, hasFills);
}
