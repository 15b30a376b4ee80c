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

/** The venue's data of one order of the bot. */
interface OrderFindings {
  /**
   * Undefined if the venue does not know the order's id: it does not work and never will. Pass undefined only after two such answers, as far apart as
   * data may be missing from the venue's lists.
   */
  readonly state: VenueOrder | undefined;
  /** Executions that were read, possibly also of other orders. */
  readonly trades: readonly VenueTrade[];
  /** When this was read. */
  readonly at: EpochMs;
}

interface OrderNews {
  /** Updates for the engine, in order. */
  readonly updates: readonly OrderUpdate[];
  /** Base or contracts that the venue has filled without a known execution. They must be read again; the end is not reported before. */
  readonly unexplained: Fixed;
}

/**
 * Returns the updates of one order for the engine: that the venue has it, each fill once, and then its end. The end comes only after all fills,
 * because a later fill could not be booked.
 *
 * `book` must already contain the fills reported before (`FillBook.restore`). With `estimateFee`, fills of an ended order without known executions
 * are booked from its sum: for venues that no longer serve the executions.
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
    /** Asset of fees if a trade does not say it. */
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
  // The unfilled part of a quote amount is known only when the order has ended.
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

/** The update for an order that was proved absent: it never reached the venue, and is never sent late. */
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
 * The update for an order that is lost with its instrument: its outcome cannot be found out, so it counts as ended without a trade. If an execution
 * shows up when the instrument is back, it counts as external.
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
  // An order with fills was not rejected, even if the venue calls it so.
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
