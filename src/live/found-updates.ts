import {
  CANCELED_ON_REQUEST,
  endedByVenue,
  type ClientOrderId,
  type EpochMs,
  type FillRecord,
} from '../domain/index.js';
import { compareIds } from '../feed/index.js';
import type { OrderUpdate, VenueOrder } from '../venue/index.js';
import type { ForcedFill } from './forced-trades.js';
import type { SentOrderState } from './sent-orders.js';

/** An update with its place among those of one reading. */
export interface Found {
  readonly update: OrderUpdate | ForcedFill;
  readonly tradeId: string | undefined;
  /** When it counts as having happened, where that is not the time it carries: `tradeId` is then that of what it led to. */
  readonly at?: EpochMs;
}

/** As things happened; of one instant what the venue did by itself comes last, each close after the ends of orders that led there. */
export function inTellingOrder(found: readonly Found[]): readonly Found[] {
  return found.toSorted(
    (a, b) =>
      timeOf(a) - timeOf(b) ||
      rankOf(a) - rankOf(b) ||
      (a.tradeId === undefined || b.tradeId === undefined ? 0 : compareIds(a.tradeId, b.tradeId)) ||
      Number(a.update.kind === 'forced-fill') - Number(b.update.kind === 'forced-fill'),
  );
}

function timeOf({ update, at }: Found): EpochMs {
  return at ?? update.eventTime;
}

function rankOf({ update, at }: Found): number {
  return update.kind === 'forced-fill' || at !== undefined ? 1 : 0;
}

/** Before the venue closes a position it cancels the contract's orders: their ends come first, as in a backtest. */
export function withForced(
  news: readonly Found[],
  forced: readonly ForcedFill[],
): readonly Found[] {
  const closes = forced.map((update): Found => ({ update, tradeId: update.fill.venueTradeId }));
  const [first] = inTellingOrder(closes);
  if (first === undefined) return news;
  const { tradeId } = first;
  const at = timeOf(first);
  return [
    ...news.map((found) => (found.update.kind === 'ended' ? { ...found, at, tradeId } : found)),
    ...closes,
  ];
}

/** Fills of an order as the engine is told of them; counts them as told. `isOver`: whether the order has filled wholly with the last of them. */
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

/** The end of an order, as the venue shows it. */
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

/** Whether an order has filled as a maker: it has rested. */
export function isMakerFill(update: Found['update'], clientOrderId: ClientOrderId): boolean {
  const isOwn = update.kind === 'fill' && update.clientOrderId === clientOrderId;
  return isOwn && update.fill.liquidity === 'maker';
}
