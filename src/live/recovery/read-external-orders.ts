import {
  compareIds,
  isFinalStatus,
  splitInstrumentId,
  type InstrumentId,
  type VenueOrderId,
} from '../../domain/index.js';
import type { AccountSource, VenueOrder, VenueTrade } from '../../venue/index.js';

/** Largest number of working orders in one list. A full list may have been cut. */
const MAX_OPEN_ORDERS = 1_000;
const PAGE_SIZE = 1_000;

export interface ReadingRequest {
  readonly instrumentId: InstrumentId;
  /** Id of the trade to read from. @defaultValue the oldest that the venue keeps */
  readonly fromTrade: string | undefined;
  /** Whether an order is in the journal, or certainly another one. Called again after the reading, because answers arrive meanwhile. */
  readonly isKnown: (id: VenueOrderId) => boolean;
  /** Whether a trade is younger than the request. */
  readonly isSince: (trade: VenueTrade) => boolean;
  /** Whether such a trade of an unknown order is a reason to read the order. */
  readonly isOfInterest: (trade: VenueTrade) => boolean;
}

/** Orders at the venue that no journal knows. */
export interface ExternalOrders {
  /** Each order once, in the most advanced state that any list shows. */
  readonly orders: readonly VenueOrder[];
  /** Trades of interest whose order the venue does not show. */
  readonly orphans: readonly VenueTrade[];
  /** Orders that have traded since the request. */
  readonly traded: ReadonlySet<VenueOrderId>;
  /** False when a list may have been cut. */
  readonly isComplete: boolean;
}

/** The venue's data of an instrument in one reading. */
export interface InstrumentReading {
  readonly open: readonly VenueOrder[];
  /** Futures only. */
  readonly ended: readonly VenueOrder[];
  readonly trades: readonly VenueTrade[];
  /** Orders that only trades name, read by id. */
  readonly asked: ReadonlyMap<VenueOrderId, VenueOrder>;
}

/** One user of a shared reading. */
type Looker = Omit<ReadingRequest, 'instrumentId'>;

/**
 * Reads everything that shows orders of an instrument: working orders, the history (futures), own trades and, by id, the orders that only trades
 * name. In this order, so that an order that ends meanwhile shows up in a later part. One reading serves all users.
 *
 * @throws errors of the source: an incomplete reading is useless.
 */
export async function readVenueView(
  source: AccountSource,
  instrumentId: InstrumentId,
  { lookers, signal }: { readonly lookers: readonly Looker[]; readonly signal: AbortSignal },
): Promise<InstrumentReading> {
  const open = await source.openOrders(instrumentId, { signal });
  const page = { signal, pageSize: PAGE_SIZE };
  const ended: VenueOrder[] = [];
  if (splitInstrumentId(instrumentId).kind === 'futures') {
    for await (const order of source.orderHistory(instrumentId, page))
      if (lookers.some(({ isKnown }) => !isKnown(order.venueOrderId))) ended.push(order);
  }
  const trades: VenueTrade[] = [];
  const fromId = earliestOf(lookers);
  const options = { ...page, ...(fromId !== undefined && { fromId }) };
  for await (const trade of source.trades(instrumentId, options))
    if (lookers.some((looker) => concerns(looker, trade))) trades.push(trade);
  const view = { open, ended, trades };
  const named = new Set(lookers.flatMap((looker) => [...explain(view, looker).unexplained.keys()]));
  const asked = new Map<VenueOrderId, VenueOrder>();
  for (const venueOrderId of named) {
    // Without our own id: a venue that supports it would answer with the order of that id instead.
    const order = await source.order({ instrumentId, venueOrderId }, { signal });
    if (order?.venueOrderId === venueOrderId) asked.set(venueOrderId, order);
  }
  return { ...view, asked };
}

/** Returns the external orders that a reading shows to one user. */
export function externalOrdersIn(view: InstrumentReading, looker: Looker): ExternalOrders {
  const { isKnown } = looker;
  const { found, unexplained, traded } = explain(view, looker);
  for (const venueOrderId of unexplained.keys()) {
    const order = view.asked.get(venueOrderId);
    if (order !== undefined && !isKnown(venueOrderId)) found.set(venueOrderId, order);
  }
  return {
    orders: [...found.values()],
    orphans: [...unexplained].filter(([id]) => !found.has(id)).flatMap(([, trades]) => trades),
    traded,
    isComplete: view.open.length < MAX_OPEN_ORDERS,
  };
}

/** The earliest trade that any user reads from; undefined if one of them reads from the oldest. */
function earliestOf(lookers: readonly Looker[]): string | undefined {
  let earliest = lookers[0]?.fromTrade;
  for (const { fromTrade } of lookers) {
    if (fromTrade === undefined || earliest === undefined) return undefined;
    if (compareIds(fromTrade, earliest) < 0) earliest = fromTrade;
  }
  return earliest;
}

function concerns({ isKnown, isSince }: Looker, trade: VenueTrade): boolean {
  return !isKnown(trade.venueOrderId) && isSince(trade);
}

/** Listed unknown orders, and trades of interest whose order is not listed. */
function explain(
  { open, ended, trades }: Omit<InstrumentReading, 'asked'>,
  looker: Looker,
): {
  readonly found: Map<VenueOrderId, VenueOrder>;
  readonly unexplained: ReadonlyMap<VenueOrderId, readonly VenueTrade[]>;
  readonly traded: ReadonlySet<VenueOrderId>;
} {
  const found = new Map<VenueOrderId, VenueOrder>();
  for (const order of [...open, ...ended]) {
    const before = found.get(order.venueOrderId);
    if (!looker.isKnown(order.venueOrderId))
      found.set(order.venueOrderId, before === undefined ? order : mergeViews(before, order));
  }
  const unexplained = new Map<VenueOrderId, VenueTrade[]>();
  const traded = new Set<VenueOrderId>();
  for (const trade of trades) {
    const { venueOrderId } = trade;
    if (!concerns(looker, trade)) continue;
    traded.add(venueOrderId);
    if (found.has(venueOrderId) || !looker.isOfInterest(trade)) continue;
    unexplained.set(venueOrderId, [...(unexplained.get(venueOrderId) ?? []), trade]);
  }
  return { found, unexplained, traded };
}

/** Merges two views of one order: the more advanced one, plus fields that only the other has. */
function mergeViews(before: VenueOrder, after: VenueOrder): VenueOrder {
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
