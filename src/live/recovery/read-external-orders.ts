import {
  isFinalStatus,
  splitInstrumentId,
  type InstrumentId,
  type VenueOrderId,
} from '../../domain/index.js';
import type { AccountSource, VenueOrder, VenueTrade } from '../../venue/index.js';

/** Most working orders that one list holds: a full list may have been cut. */
const MAX_OPEN_ORDERS = 1_000;
const PAGE_SIZE = 1_000;

export interface ReadingRequest {
  readonly instrumentId: InstrumentId;
  /** The trade to read from. @defaultValue the oldest that the venue keeps */
  readonly fromTrade: string | undefined;
  /** Whether an order is in the journal, or another for certain; asked again after the reading, because answers arrive meanwhile. */
  readonly isKnown: (id: VenueOrderId) => boolean;
  /** Whether a trade is younger than the request. */
  readonly isSince: (trade: VenueTrade) => boolean;
  /** Whether such a trade of an unknown order is worth a look at the order. */
  readonly isOfInterest: (trade: VenueTrade) => boolean;
}

/** Orders at the venue that no journal knows. */
export interface ExternalOrders {
  /** Each once, as far as any list has seen it. */
  readonly orders: readonly VenueOrder[];
  /** Trades of interest whose order the venue does not show. */
  readonly orphans: readonly VenueTrade[];
  /** Those of them that have traded since the request. */
  readonly traded: ReadonlySet<VenueOrderId>;
  /** False when a list may have been cut. */
  readonly isComplete: boolean;
}

/**
 * Reads everything that shows an order of an instrument: working orders, the history (futures), own trades and, by id, the orders that
 * only trades name. In this order: an order that ends meanwhile is in what is read later.
 *
 * @throws whatever the source throws: half a reading is none.
 */
export async function readExternalOrders(
  source: AccountSource,
  { instrumentId, fromTrade, isKnown, isSince, isOfInterest }: ReadingRequest,
  signal: AbortSignal,
): Promise<ExternalOrders> {
  const found = new Map<VenueOrderId, VenueOrder>();
  const note = (order: VenueOrder): void => {
    const before = found.get(order.venueOrderId);
    if (!isKnown(order.venueOrderId))
      found.set(order.venueOrderId, before === undefined ? order : mergeViews(before, order));
  };
  const open = await source.openOrders(instrumentId, { signal });
  open.forEach(note);
  const page = { signal, pageSize: PAGE_SIZE };
  if (splitInstrumentId(instrumentId).kind === 'futures') {
    for await (const order of source.orderHistory(instrumentId, page)) note(order);
  }
  const unexplained = new Map<VenueOrderId, VenueTrade[]>();
  const traded = new Set<VenueOrderId>();
  const options = { ...page, ...(fromTrade !== undefined && { fromId: fromTrade }) };
  for await (const trade of source.trades(instrumentId, options)) {
    const { venueOrderId } = trade;
    if (isKnown(venueOrderId) || !isSince(trade)) continue;
    traded.add(venueOrderId);
    if (found.has(venueOrderId) || !isOfInterest(trade)) continue;
    unexplained.set(venueOrderId, [...(unexplained.get(venueOrderId) ?? []), trade]);
  }
  for (const venueOrderId of unexplained.keys()) {
    // Without our own id: a venue that knows it would answer with that order instead.
    const order = await source.order({ instrumentId, venueOrderId }, { signal });
    if (order?.venueOrderId === venueOrderId) note(order);
  }
  return {
    orders: [...found.values()].filter((order) => !isKnown(order.venueOrderId)),
    orphans: [...unexplained]
      .filter(([id]) => !found.has(id) && !isKnown(id))
      .flatMap(([, trades]) => trades),
    traded,
    isComplete: open.length < MAX_OPEN_ORDERS,
  };
}

/** Two views of one order as one: the one that is further, with what only the other says. */
export function mergeViews(before: VenueOrder, after: VenueOrder): VenueOrder {
  const isBeforeFurther =
    (isFinalStatus(before.status) && !isFinalStatus(after.status)) ||
    before.filledQuantity > after.filledQuantity;
  const [main, other] = isBeforeFurther ? [before, after] : [after, before];
  return {
    ...main,
    clientOrderId: main.clientOrderId ?? other.clientOrderId,
    action: main.action ?? other.action,
    type: main.type ?? other.type,
    timeInForce: main.timeInForce ?? other.timeInForce,
    limitPrice: main.limitPrice ?? other.limitPrice,
    averagePrice: main.averagePrice ?? other.averagePrice,
    filledNotional: main.filledNotional ?? other.filledNotional,
    createdTime: main.createdTime ?? other.createdTime,
    marginMode: main.marginMode ?? other.marginMode,
    leverage: main.leverage ?? other.leverage,
  };
}
