import {
  divideFixed,
  MINUTE_MS,
  multiplyFixed,
  type Asset,
  type ClientOrderId,
  type EpochMs,
  type FillRecord,
  type InstrumentId,
} from '../../domain/index.js';
import { compareIds, type FillBook, type ToldFill } from '../../feed/index.js';
import type { AccountSource } from '../../venue/index.js';
import type { WorkingOrder, Engine, OrderHistory, PastOrder } from '../../engine/index.js';

/** How much earlier than an order, by our clock, its executions may be, by the venue's. */
const MARGIN_MS = MINUTE_MS;
const PAGE_SIZE = 1_000;

/** An order of the bot, and whether it has ended. */
export type ToldOrder = PastOrder & Pick<WorkingOrder, 'createdTime' | 'isFinal'>;

export interface ToldFills {
  /** All orders that the bot has had, also those that ended. */
  readonly orders: readonly ToldOrder[];
  /** All fills that were told, oldest first. */
  readonly fills: readonly FillRecord[];
  /** In what fees are paid where a trade does not say. */
  readonly feeAssetOf: (instrumentId: InstrumentId) => Asset;
}

/**
 * Tells a new book what a replayed engine was told, so that no execution is booked twice, and says from which trade on own trades are
 * read, by instrument: the newest one told of before the oldest order that still works. Executions of that order may have been read and not
 * told, while later ones of other orders were. Instruments that are missing have told of none: everything is read.
 */
export function resumeFills(
  { orders, fills, feeAssetOf }: ToldFills,
  book: FillBook,
): ReadonlyMap<InstrumentId, string> {
  const told = new Map<ClientOrderId, FillRecord[]>();
  for (const fill of fills) {
    const ofOrder = told.get(fill.clientOrderId);
    if (ofOrder === undefined) told.set(fill.clientOrderId, [fill]);
    else ofOrder.push(fill);
  }
  const known = new Set<ClientOrderId>();
  for (const order of orders) {
    const { request, venueOrderId } = order;
    if (venueOrderId === undefined) continue;
    known.add(request.clientOrderId);
    const { clientOrderId, instrumentId, action } = request;
    const own = { clientOrderId, venueOrderId, instrumentId, action };
    const ofOrder = told.get(clientOrderId) ?? [];
    book.restore({ ...own, feeAsset: feeAssetOf(instrumentId) }, [
      ...carriedOver(order, ofOrder),
      ...ofOrder,
    ]);
    if (order.isFinal) book.end(own);
  }
  // What the venue did by itself is of no order of ours.
  for (const { clientOrderId, instrumentId, venueTradeId } of fills)
    if (!known.has(clientOrderId) && venueTradeId !== undefined)
      book.settle({ instrumentId, venueTradeId });
  return lastTrades(fills, oldestWorking(orders));
}

/** What an order had filled and no fill tells, as one sum: the epoch with its fills may be deleted. */
function carriedOver(
  { filledQuantity, filledNotional }: PastOrder,
  told: readonly FillRecord[],
): readonly ToldFill[] {
  const quantity = told.reduce((rest, fill) => rest - fill.quantity, filledQuantity);
  if (quantity <= 0n) return [];
  const notional = told.reduce(
    (rest, fill) => rest - multiplyFixed(fill.price, fill.quantity),
    filledNotional,
  );
  return [{ quantity, price: divideFixed(notional, quantity) }];
}

/** All orders of a bot: those of its engine as they are there, and those of the epochs before it, which have ended. */
export function ordersOf(
  { orders }: Pick<Engine, 'orders'>,
  history: Pick<OrderHistory, 'orders'>,
): readonly ToldOrder[] {
  const current = new Set(Array.from(orders, ({ request }) => request.clientOrderId));
  const ended = history.orders
    .filter(({ request }) => !current.has(request.clientOrderId))
    .map((order) => ({ ...order, createdTime: Number.NEGATIVE_INFINITY, isFinal: true }));
  return [...ended, ...orders];
}

function oldestWorking(orders: readonly ToldOrder[]): ReadonlyMap<InstrumentId, EpochMs> {
  const oldest = new Map<InstrumentId, EpochMs>();
  for (const { isFinal, request, createdTime } of orders) {
    const known = oldest.get(request.instrumentId) ?? Number.POSITIVE_INFINITY;
    if (!isFinal) oldest.set(request.instrumentId, Math.min(known, createdTime));
  }
  return oldest;
}

function lastTrades(
  fills: readonly FillRecord[],
  oldest: ReadonlyMap<InstrumentId, EpochMs>,
): ReadonlyMap<InstrumentId, string> {
  const last = new Map<InstrumentId, string>();
  for (const { instrumentId, venueTradeId, eventTime } of fills) {
    const until = (oldest.get(instrumentId) ?? Number.POSITIVE_INFINITY) - MARGIN_MS;
    if (venueTradeId === undefined || eventTime > until) continue;
    const known = last.get(instrumentId);
    if (known === undefined || compareIds(venueTradeId, known) > 0)
      last.set(instrumentId, venueTradeId);
  }
  return last;
}

/**
 * The newest own trade before a time: where a bot begins to read that was told of none, because what was before is not its own. Reads all
 * that the venue keeps.
 *
 * `before`: when the epoch began, or the oldest order that it began with.
 * @throws whatever the source throws.
 */
export async function lastTradeBefore(
  before: EpochMs,
  {
    source,
    instrumentId,
    signal,
  }: {
    readonly source: Pick<AccountSource, 'trades'>;
    readonly instrumentId: InstrumentId;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  let last: string | undefined;
  for await (const { venueTradeId, time } of source.trades(instrumentId, {
    signal,
    pageSize: PAGE_SIZE,
  })) {
    if (time > before - MARGIN_MS) continue;
    if (last === undefined || compareIds(venueTradeId, last) > 0) last = venueTradeId;
  }
  return last;
}
