import {
  compareIds,
  divideFixed,
  MINUTE_MS,
  multiplyFixed,
  type Asset,
  type ClientOrderId,
  type EpochMs,
  type FillRecord,
  type InstrumentId,
} from '../../domain/index.js';
import type { FillBook, ToldFill } from '../../feed/index.js';
import type { AccountSource } from '../../venue/index.js';
import type { WorkingOrder, Engine, OrderHistory, PastOrder } from '../../engine/index.js';

/** Executions of an order may be dated this much before the order: the two times are of the venue's clock and of ours. */
const MARGIN_MS = MINUTE_MS;
const PAGE_SIZE = 1_000;

/** An order of the bot, and whether it has ended. */
type ToldOrder = PastOrder & Pick<WorkingOrder, 'createdTime' | 'isFinal'>;

interface ToldFills {
  /** All orders that the bot has had, including ended ones. */
  readonly orders: readonly ToldOrder[];
  /** All fills that were reported, oldest first. */
  readonly fills: readonly FillRecord[];
  /** Asset of fees if a trade does not say it. */
  readonly feeAssetOf: (instrumentId: InstrumentId) => Asset;
}

/**
 * Fills a new book with the fills of a replayed engine, so that no execution is booked twice. Returns the trade from which own trades must be read,
 * by instrument: the newest reported one before the oldest working order. Executions of that order may have been read without a report, while later
 * ones of other orders were reported. An instrument without reported trades is missing: read all its trades.
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
  // Fills that the venue made by itself belong to no own order.
  for (const { clientOrderId, instrumentId, venueTradeId } of fills)
    if (!known.has(clientOrderId) && venueTradeId !== undefined)
      book.settle({ instrumentId, venueTradeId });
  return lastTrades(fills, oldestWorking(orders));
}

/** The part of an order that no fill reports, as one sum: the epoch with its fills may be deleted. */
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

/** All orders of a bot: those of its engine in their current state, and those of earlier epochs, which have ended. */
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
 * Finds the newest own trade before a time. A bot without reported trades begins to read there, because earlier trades are not its own. Reads all
 * trades that the venue keeps.
 *
 * `before`: start of the epoch, or creation of the oldest order that the epoch began with.
 * @throws errors of the source.
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
