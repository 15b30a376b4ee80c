import {
  isFinalStatus,
  type Asset,
  type ClientOrderId,
  type FillRecord,
  type InstrumentId,
  type VenueOrderId,
} from '../domain/index.js';
import { compareIds, FillBook, OwnTrades } from '../feed/index.js';
import type { VenueOrder, VenueTrade } from '../venue/index.js';
import type { ForcedFill } from './forced-trades.js';
import type { AccountReaderOptions } from './account-reader-options.js';
import { findFired } from './fired-triggers.js';
import {
  endOf,
  foundFills,
  foundForced,
  inTellingOrder,
  isMakerFill,
  withForced,
  type Found,
} from './found-updates.js';
import { NOTHING_SEEN, type SentOrderState, type SeenBefore } from './sent-orders.js';

/** What of an instrument is to be read. Own orders that have gone from the list are asked for one by one. */
export interface AccountReading {
  readonly instrumentId: InstrumentId;
  readonly orders: boolean;
  /** Otherwise only where an order has filled more than was told. */
  readonly trades: boolean;
}

/** Readings of an ended order for which its trades are waited for before its fills are booked from their sum. */
const PATIENCE = 5;

/**
 * Reads the bot's orders and executions and says what is new, each execution once.
 *
 * What an answer tells of its own order counts at once, and with its fills the earlier ones of the instrument; what else is learned beside it, of
 * other orders, counts at the next poll, as in a backtest (DESIGN R2).
 */
export class AccountReader {
  readonly #options: AccountReaderOptions;
  readonly #book: FillBook;
  readonly #trades: ReadonlyMap<InstrumentId, OwnTrades>;
  readonly #feeAssets: ReadonlyMap<InstrumentId, Asset>;
  /** Fills that were read and not told. */
  readonly #waiting = new Map<ClientOrderId, FillRecord[]>();
  /** Working orders of others, as they were last listed, by instrument. */
  readonly #others = new Map<InstrumentId, ReadonlySet<VenueOrderId>>();
  /** Orders that were listed last although their end was told, by instrument. */
  readonly #unended = new Map<InstrumentId, ReadonlySet<VenueOrderId>>();
  /** Instruments whose trades a poll has read to their end. */
  readonly #readWholly = new Set<InstrumentId>();
  /** Readings in which what external orders seem to have done did not fit together yet, by instrument. */
  readonly #undecided = new Map<InstrumentId, number>();

  constructor(options: AccountReaderOptions) {
    const { source, instruments, lastTrades } = options;
    this.#options = options;
    this.#book = options.fills ?? new FillBook();
    this.#trades = new Map(
      instruments.map(({ id }) => [id, new OwnTrades(source, id, lastTrades.get(id))]),
    );
    this.#feeAssets = new Map(
      instruments.map((instrument) => [
        instrument.id,
        instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote,
      ]),
    );
  }

  /** The venue has given an order its id: from now on it is read. */
  accepted(order: SentOrderState): void {
    const { request, venueOrderId } = order;
    const { clientOrderId, instrumentId, action } = request;
    const feeAsset = this.#feeAssets.get(instrumentId);
    if (venueOrderId === undefined || feeAsset === undefined) return;
    this.#hold(
      this.#book.register({ clientOrderId, venueOrderId, instrumentId, action, feeAsset }),
    );
  }

  /** What the venue has shown of an instrument by now. */
  seen(instrumentId: InstrumentId): SeenBefore {
    return {
      tradeId: this.#trades.get(instrumentId)?.last,
      orders: this.#others.get(instrumentId) ?? NOTHING_SEEN.orders,
    };
  }

  /** Reads one order and its executions, and tells what is new of it alone. */
  async readOrder(order: SentOrderState): Promise<void> {
    this.#tell(await this.#read(order));
  }

  /**
   * Reads an order that the venue has just taken, and tells what it has done on arrival: an order that has ended without resting is not
   * reported as accepted, as in a backtest.
   */
  async readArrival(order: SentOrderState): Promise<void> {
    const { venueOrderId, request } = order;
    if (venueOrderId === undefined) return;
    const { clientOrderId } = request;
    let news: readonly Found[] = [];
    try {
      news = await this.#read(order);
    } finally {
      const hasRested =
        !order.isEnded || news.some(({ update }) => isMakerFill(update, clientOrderId));
      const eventTime = this.#options.now();
      if (hasRested)
        this.#options.onUpdate({ kind: 'accepted', clientOrderId, venueOrderId, eventTime });
      this.#tell(news);
    }
  }

  async #read(order: SentOrderState): Promise<readonly Found[]> {
    const state = await this.#ask(order);
    if (state === undefined) return [];
    const { instrumentId } = order.request;
    if (this.#book.unexplained(state) > 0n) await this.#readTrades(instrumentId);
    const forced = await this.#forcedBefore(order);
    const news = this.#newsOf(order, state);
    return [...this.#fillsBefore(instrumentId, news), ...news, ...foundForced(forced)];
  }

  /** Closes by the venue before the last fill of an order that is about to be told: what is told first is booked first. */
  async #forcedBefore({ request }: SentOrderState): Promise<readonly ForcedFill[]> {
    const { instrumentId, clientOrderId } = request;
    const last = this.#waiting.get(clientOrderId)?.at(-1)?.venueTradeId;
    const isBefore = ({ venueTradeId }: VenueTrade): boolean =>
      last !== undefined && compareIds(venueTradeId, last) < 0;
    return this.#external(instrumentId).some(isBefore)
      ? this.#judgeExternal(instrumentId, 'arrival')
      : [];
  }

  /** Fills of other orders that were read, and came before the last of what is told of an instrument: they are told with it. */
  #fillsBefore(instrumentId: InstrumentId, news: readonly Found[]): readonly Found[] {
    const last = news.findLast(({ tradeId }) => tradeId !== undefined)?.tradeId;
    if (last === undefined) return [];
    const isBefore = ({ venueTradeId }: FillRecord): boolean =>
      venueTradeId !== undefined && compareIds(venueTradeId, last) < 0;
    return [...this.#waiting].flatMap(([clientOrderId, fills]) => {
      const order = this.#options.orders.find(clientOrderId);
      const before = fills.filter(isBefore);
      if (order === undefined || order.request.instrumentId !== instrumentId) return [];
      // How much of a quote amount a fill leaves is known when the order has ended.
      if (before.length === 0 || order.request.unit === 'quote') return [];
      this.#waiting.set(clientOrderId, fills.slice(before.length));
      const found = foundFills(order, before, false);
      if (order.filled >= order.request.quantity) this.#end(order);
      return found;
    });
  }

  /**
   * Reads orders and executions of some instruments, and tells everything that is new, in the order in which it happened.
   *
   * @throws the first failure, when everything else has been told: what was read is not read again.
   */
  async poll(readings: readonly AccountReading[]): Promise<void> {
    const read = await Promise.allSettled(readings.map((reading) => this.#pollInstrument(reading)));
    const known = readings.filter(({ instrumentId }) => this.#isWhollyKnown(instrumentId));
    this.#tell(
      read.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])),
      this.#options.beforePolled,
    );
    for (const { instrumentId } of known) this.#options.forced?.settle(instrumentId);
    for (const each of read) if (each.status === 'rejected') throw each.reason;
  }

  /** Whether all that has happened to an instrument is known, and told when this reading is. */
  #isWhollyKnown(instrumentId: InstrumentId): boolean {
    const isRead = this.#readWholly.delete(instrumentId) && !this.#undecided.has(instrumentId);
    return isRead && this.#pending(instrumentId).length === 0;
  }

  async #pollInstrument(reading: AccountReading): Promise<readonly Found[]> {
    const { instrumentId } = reading;
    const states = reading.orders ? await this.#readOrders(instrumentId) : [];
    const isNews = states.some(({ state }) => this.#book.unexplained(state) > 0n);
    const readsTrades = isNews || reading.trades;
    if (readsTrades) await this.#readTrades(instrumentId);
    const fired = await this.#adoptFired(instrumentId);
    const forced = await this.#judgeExternal(instrumentId, 'poll');
    if (readsTrades) this.#readWholly.add(instrumentId);
    const news = [...fired, ...states.flatMap(({ own, state }) => this.#newsOf(own, state))];
    return forced.length === 0 ? news : withForced(news, forced);
  }

  /** The bot's orders that work or have just ended, as the venue shows them. */
  async #readOrders(
    instrumentId: InstrumentId,
  ): Promise<readonly { readonly own: SentOrderState; readonly state: VenueOrder }[]> {
    const { source, signal, orders, onExternalOrders } = this.#options;
    const open = await source.openOrders(instrumentId, { signal });
    const byId = new Map(open.map((order) => [order.venueOrderId, order]));
    const states: { readonly own: SentOrderState; readonly state: VenueOrder }[] = [];
    for (const own of orders.accepted(instrumentId)) {
      const { venueOrderId } = own;
      const listed = venueOrderId === undefined ? undefined : byId.get(venueOrderId);
      if (venueOrderId !== undefined) byId.delete(venueOrderId);
      const state = listed ?? (await this.#ask(own));
      if (state !== undefined) states.push({ own, state });
    }
    this.#others.set(instrumentId, new Set(byId.keys()));
    const isSearching = orders
      .list(instrumentId)
      .some(({ venueOrderId }) => venueOrderId === undefined);
    if (isSearching) return states;
    const others = [...byId.values()];
    this.#noteUnended(
      instrumentId,
      others.filter((order) => this.#book.knows(order)),
    );
    const foreign = others.filter((order) => !this.#book.knows(order));
    onExternalOrders(instrumentId, foreign);
    return states;
  }

  /** An order may have ended while the list that shows it was on its way: the next one says. */
  #noteUnended(instrumentId: InstrumentId, listed: readonly VenueOrder[]): void {
    const before = this.#unended.get(instrumentId);
    if (before === undefined && listed.length === 0) return;
    if (listed.length === 0) this.#unended.delete(instrumentId);
    else this.#unended.set(instrumentId, new Set(listed.map(({ venueOrderId }) => venueOrderId)));
    this.#options.onUnended(
      instrumentId,
      listed.filter(({ venueOrderId }) => before?.has(venueOrderId)),
    );
  }

  /** What a trigger of ours has sent is ours from now on. */
  async #adoptFired(instrumentId: InstrumentId): Promise<readonly Found[]> {
    const stops = this.#options.mayHaveFired?.(instrumentId);
    if (stops?.[0] === undefined) return [];
    return (await findFired(this.#external(instrumentId), stops, this.#options)).flatMap(
      ({ stop, state }) => {
        const sent = { sentAt: stop.placedTime, before: NOTHING_SEEN };
        const order = this.#options.orders.begin(stop.request, sent);
        order.venueOrderId = state.venueOrderId;
        this.accepted(order);
        return this.#newsOf(order, state);
      },
    );
  }

  /** What of the executions of unknown orders the venue did by itself; the others are reported as external. */
  async #judgeExternal(
    instrumentId: InstrumentId,
    at: 'poll' | 'arrival',
  ): Promise<readonly ForcedFill[]> {
    const { forced } = this.#options;
    const external = this.#external(instrumentId);
    const pending = this.#pending(instrumentId);
    if (forced?.mayConcern(instrumentId, pending) !== true || external.length === 0) return [];
    const verdict = await forced.judge(instrumentId, external, pending);
    // An order that is answered at once is read more often than a venue makes up its account.
    if (verdict.kind === 'undecided' && at === 'arrival') return [];
    const tries = (this.#undecided.get(instrumentId) ?? 0) + 1;
    if (verdict.kind === 'undecided' && tries < PATIENCE) {
      this.#undecided.set(instrumentId, tries);
      return [];
    }
    this.#undecided.delete(instrumentId);
    if (verdict.kind !== 'forced') {
      this.#report(external);
      return [];
    }
    for (const trade of external) this.#book.settle(trade);
    return verdict.fills;
  }

  async #ask(order: SentOrderState): Promise<VenueOrder | undefined> {
    const { source, signal } = this.#options;
    const { venueOrderId, request } = order;
    if (venueOrderId === undefined) return undefined;
    // By the venue's id alone: several orders may have had ours, and one that was claimed has none.
    const { instrumentId } = request;
    return source.order({ instrumentId, venueOrderId }, { signal });
  }

  async #readTrades(instrumentId: InstrumentId): Promise<void> {
    const trades = (await this.#trades.get(instrumentId)?.read(this.#options.signal)) ?? [];
    this.#hold(this.#book.take(trades));
    this.#reportLate();
    this.#book.forget(instrumentId);
    this.#reportExternal(instrumentId);
  }

  #reportLate(): void {
    const { orders, onLate, since = Number.NEGATIVE_INFINITY } = this.#options;
    const late: FillRecord[] = [];
    for (const [clientOrderId, fills] of this.#waiting) {
      if (orders.find(clientOrderId) !== undefined) continue;
      this.#waiting.delete(clientOrderId);
      late.push(...fills.filter(({ eventTime }) => eventTime >= since));
    }
    if (late.length > 0) onLate(late);
  }

  #reportExternal(instrumentId: InstrumentId): void {
    // What the venue may have done by itself, or a trigger, is judged at the next poll.
    if ((this.#options.mayHaveFired?.(instrumentId) ?? []).length > 0) return;
    if (this.#options.forced?.mayConcern(instrumentId, this.#pending(instrumentId)) !== true)
      this.#report(this.#external(instrumentId));
  }

  /** The bot's own fills that were read and not told. */
  #pending(instrumentId: InstrumentId): readonly FillRecord[] {
    return [...this.#waiting.values()].flat().filter((fill) => fill.instrumentId === instrumentId);
  }

  /** Executions of orders nobody is known to have sent. While an order of ours has no id yet, they may be its. */
  #external(instrumentId: InstrumentId): readonly VenueTrade[] {
    const { orders, since = Number.NEGATIVE_INFINITY } = this.#options;
    if (orders.list(instrumentId).some(({ venueOrderId }) => venueOrderId === undefined)) return [];
    return this.#book.foreign.filter(
      (trade) => trade.instrumentId === instrumentId && trade.time >= since,
    );
  }

  #report(found: readonly VenueTrade[]): void {
    // Nobody waits for them any more: no order of ours on the instrument is without an id.
    for (const trade of found) this.#book.settle(trade);
    if (found.length > 0) this.#options.onExternal(found);
  }

  #hold(fills: readonly FillRecord[]): void {
    for (const fill of fills) {
      const waiting = this.#waiting.get(fill.clientOrderId) ?? [];
      waiting.push(fill);
      this.#waiting.set(fill.clientOrderId, waiting);
    }
  }

  /** What the engine is to be told of an order, now that the venue says this of it. */
  #newsOf(order: SentOrderState, state: VenueOrder): readonly Found[] {
    if (order.isEnded) return [];
    const { request } = order;
    const { clientOrderId } = request;
    const isFinal = isFinalStatus(state.status);
    if (isFinal && this.#book.unexplained(state) > 0n && !this.#bookSum(order, state)) return [];
    // How much of a quote amount a fill leaves is known when the order has ended.
    if (!isFinal && request.unit === 'quote') return [];
    const fills = this.#waiting.get(clientOrderId) ?? [];
    this.#waiting.delete(clientOrderId);
    const found = foundFills(order, fills, state.status === 'filled');
    const isFilled = found.some(({ update }) => update.kind === 'fill' && update.isFilled);
    if (isFinal && !isFilled)
      found.push({ update: endOf(order, state, this.#options.now()), tradeId: undefined });
    if (isFinal || isFilled) this.#end(order);
    return found;
  }

  #end(order: SentOrderState): void {
    const { venueOrderId, request } = order;
    this.#options.orders.end(order);
    if (venueOrderId !== undefined)
      this.#book.end({ instrumentId: request.instrumentId, venueOrderId });
  }

  /** Books what an ended order has filled from its sum, once its trades have been waited for. Returns whether it did. */
  #bookSum(order: SentOrderState, state: VenueOrder): boolean {
    const { estimateFee, now } = this.#options;
    order.unexplained += 1;
    if (estimateFee === undefined || order.unexplained < PATIENCE) return false;
    this.#hold(this.#book.book(state, { at: now(), estimateFee }));
    return this.#book.unexplained(state) === 0n;
  }

  #tell(found: readonly Found[], before?: AccountReaderOptions['beforePolled']): void {
    for (const { update } of inTellingOrder(found)) {
      if (update.kind === 'fill' || update.kind === 'forced-fill') {
        before?.(update);
        this.#options.forced?.noteTold(update);
      }
      this.#options.onUpdate(update);
    }
  }
}
