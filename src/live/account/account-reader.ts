import {
  compareIds,
  isFinalStatus,
  type InstrumentId,
  type VenueOrderId,
} from '../../domain/index.js';
import { FillBook, OwnTrades } from '../../feed/index.js';
import type { VenueOrder, VenueTrade } from '../../venue/index.js';
import type { ForcedFillUpdate } from '../margin/forced-trades.js';
import type { AccountReaderOptions, AccountReading } from './account-reader-options.js';
import { findFired } from '../stops/fired-triggers.js';
import { canBeTradeOf, possibleState } from '../recovery/order-likeness.js';
import {
  failureOf,
  NO_STATES,
  readOwnStates,
  unreadableOf,
  type OwnStates,
  type PollNews,
} from './own-states.js';
import {
  endOf,
  foundFills,
  foundForced,
  inTellingOrder,
  lastTradeOf,
  showsRest,
  withForced,
  type Found,
} from './found-updates.js';
import { OneAtATime } from '../one-at-a-time.js';
import { NOTHING_SEEN, type SentOrderState, type SeenBefore } from '../session/sent-orders.js';
import { UnclaimedTrades } from './unclaimed-trades.js';
import { UnendedOrders } from './unended-orders.js';
import { WaitingFills } from '../session/waiting-fills.js';

/**
 * Number of readings to wait: for the trades of an ended order (then its fills are booked from the order's sum), for external executions that do
 * not fit together yet (then they are external), and for the order of an execution (then later fills are reported before it).
 */
const PATIENCE = 5;

/**
 * Reads the bot's orders and executions, and reports what is new, each execution once.
 *
 * News about the order that was asked for counts at once, together with earlier fills of the instrument. News about other orders counts at the next
 * poll, as in a backtest (DESIGN R2).
 */
export class AccountReader {
  readonly #options: AccountReaderOptions;
  readonly #book: FillBook;
  readonly #trades: ReadonlyMap<InstrumentId, OwnTrades>;
  readonly #waiting = new WaitingFills();
  /** Working orders of others in the latest list, by instrument. */
  readonly #others = new Map<InstrumentId, ReadonlySet<VenueOrderId>>();
  readonly #unended: UnendedOrders;
  /** Instruments whose trades a poll has read to their end. */
  readonly #readWholly = new Set<InstrumentId>();
  /** Executions of unknown orders are judged by one reading at a time: two would report them twice. */
  readonly #judging: ReadonlyMap<InstrumentId, OneAtATime>;
  /** Number of readings in a row in which the external executions did not fit together, by instrument. */
  readonly #undecided = new Map<InstrumentId, number>();
  readonly #unclaimed: UnclaimedTrades;

  constructor(options: AccountReaderOptions) {
    const { source, instruments, lastTrades } = options;
    this.#options = options;
    this.#book = options.fills ?? new FillBook();
    this.#unended = new UnendedOrders(options.onUnended);
    this.#unclaimed = new UnclaimedTrades({
      book: this.#book,
      orders: options.orders,
      patience: PATIENCE,
      now: options.now,
    });
    this.#trades = new Map(
      instruments.map(({ id }) => [id, new OwnTrades(source, id, lastTrades.get(id))]),
    );
    this.#judging = new Map(instruments.map(({ id }) => [id, new OneAtATime()]));
  }

  /** The venue has given an order its id. From now on the order is read. */
  accepted(order: SentOrderState): void {
    const { request, venueOrderId } = order;
    const { clientOrderId, instrumentId, action } = request;
    const instrument = this.#options.instruments.find(({ id }) => id === instrumentId);
    if (venueOrderId === undefined || instrument === undefined) return;
    const feeAsset = instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote;
    const own = { clientOrderId, venueOrderId, instrumentId, action, feeAsset };
    this.#waiting.add(this.#book.register(own));
  }

  /** Whether an id is that of an order of the bot, also of one that has ended. */
  knows(instrumentId: InstrumentId, venueOrderId: VenueOrderId): boolean {
    return this.#book.knows({ instrumentId, venueOrderId });
  }

  /** Newest known own trade and external working orders of an instrument. */
  seen(instrumentId: InstrumentId): SeenBefore {
    return {
      tradeId: this.#trades.get(instrumentId)?.last,
      orders: this.#others.get(instrumentId) ?? NOTHING_SEEN.orders,
    };
  }

  /** Reads one order and its executions, and reports what is new. */
  async readOrder(order: SentOrderState): Promise<void> {
    this.#tell(await this.#read(order));
  }

  /**
   * Reads an order that the venue has just taken, and reports what it did on arrival. An order that ended without resting is not reported as
   * accepted, as in a backtest.
   */
  async readArrival(order: SentOrderState): Promise<void> {
    const { venueOrderId, request } = order;
    if (venueOrderId === undefined) return;
    const { clientOrderId } = request;
    let news: readonly Found[] = [];
    try {
      news = await this.#read(order);
    } finally {
      const hasRested = !order.isEnded || news.some(({ update }) => showsRest(update, request));
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
    if (this.#book.unexplained(state) > 0n) await unreadableOf(this.#readTrades(instrumentId));
    const forced = await this.#externalBefore(order);
    const news = this.#newsOf(order, state);
    return [...this.#fillsBefore(instrumentId, news), ...news, ...foundForced(forced)];
  }

  /**
   * Explains unknown executions before the last fill of an order that is about to be reported, because the ledger books in the order of reports. Adopts
   * the orders of triggers, and returns the closes that the venue made.
   */
  async #externalBefore({ request }: SentOrderState): Promise<readonly ForcedFillUpdate[]> {
    const { instrumentId, clientOrderId } = request;
    const last = this.#waiting.of(clientOrderId).at(-1)?.venueTradeId;
    const isBefore = ({ venueTradeId }: VenueTrade): boolean =>
      last !== undefined && compareIds(venueTradeId, last) < 0;
    if (!this.#external(instrumentId).some(isBefore)) return [];
    return this.#inTurn(instrumentId, async () => {
      await this.#adoptFired(instrumentId);
      return this.#judgeExternal(instrumentId, isBefore);
    });
  }

  /** Fills of other orders of the instrument that came before the newest execution in `news`. They are reported together with it. */
  #fillsBefore(
    instrumentId: InstrumentId,
    news: readonly Found[],
    unreadable: OwnStates['unreadable'] = NO_STATES.unreadable,
  ): readonly Found[] {
    const last = lastTradeOf(news);
    if (last === undefined) return [];
    return this.#waiting.orders().flatMap((clientOrderId) => {
      const order = this.#options.orders.find(clientOrderId);
      if (order === undefined || order.request.instrumentId !== instrumentId) return [];
      if (unreadable.has(order)) return [];
      // The unfilled part of a quote amount is known only when the order has ended.
      if (order.request.unit === 'quote') return [];
      const found = foundFills(order, this.#waiting.take(clientOrderId, last), false);
      if (order.filled >= order.request.quantity) this.#end(order);
      return found;
    });
  }

  /**
   * Reads orders and executions of some instruments, and reports everything that is new, in the order in which it happened. `onRead` takes each whole reading.
   *
   * @throws the first failure, after everything else has been reported: a finished reading is not repeated.
   */
  async poll(
    readings: readonly AccountReading[],
    onRead: (reading: AccountReading) => void = () => undefined,
  ): Promise<void> {
    const read = await Promise.allSettled(readings.map((reading) => this.#pollInstrument(reading)));
    const known = readings.filter(({ instrumentId }) => this.#isWhollyKnown(instrumentId));
    this.#tell(
      read.flatMap((each) => (each.status === 'fulfilled' ? each.value.news : [])),
      this.#options.beforePolled,
    );
    for (const { instrumentId } of known) this.#options.forced?.settle(instrumentId);
    const failures = read.map(failureOf);
    for (const reading of readings.filter((_, index) => !failures[index])) onRead(reading);
    const unread = readings.filter((_, index) => read[index]?.status === 'rejected');
    for (const { instrumentId } of unread) await this.#readHeldBack(instrumentId);
    for (const failure of failures) if (failure) throw failure.error;
  }

  /** After a failed poll: reads the orders whose fills were held back one by one, and reports them. @throws as {@link readOrder} */
  async #readHeldBack(instrumentId: InstrumentId): Promise<void> {
    if (!this.#unclaimed.pollFailed(instrumentId)) return;
    for (const order of this.#options.orders.accepted(instrumentId))
      if (this.#waiting.of(order.request.clientOrderId).length > 0) await this.readOrder(order);
  }

  /** Whether everything that has happened to an instrument is known, and will be reported with this reading. */
  #isWhollyKnown(instrumentId: InstrumentId): boolean {
    const isRead = this.#readWholly.delete(instrumentId) && !this.#undecided.has(instrumentId);
    return isRead && this.#waiting.ofInstrument(instrumentId).length === 0;
  }

  async #pollInstrument(reading: AccountReading): Promise<PollNews> {
    const { instrumentId } = reading;
    const read = reading.orders ? await this.#readOrders(instrumentId) : NO_STATES;
    const { states, unreadable } = read;
    const isNews = states.some(({ state }) => this.#book.unexplained(state) > 0n);
    const readsTrades = isNews || reading.trades;
    const unread = readsTrades ? await unreadableOf(this.#readTrades(instrumentId)) : undefined;
    const failure = unread ?? read.failure;
    const { fired, forced } = await this.#inTurn(instrumentId, async () => ({
      fired: unread ? [] : await this.#adoptFired(instrumentId),
      forced: unread ? [] : await this.#judgeExternal(instrumentId),
    }));
    if (readsTrades && failure === undefined) this.#readWholly.add(instrumentId);
    if (unread) this.#unclaimed.pollFailed(instrumentId);
    else this.#unclaimed.polled(instrumentId);
    const ofOrders = [...fired, ...states].flatMap(({ own, state }) => this.#newsOf(own, state));
    const known = [...ofOrders, ...foundForced(forced)];
    const news = [...this.#fillsBefore(instrumentId, known, unreadable), ...ofOrders];
    return { news: forced.length === 0 ? news : withForced(news, forced), failure };
  }

  /** The bot's orders that work or have just ended, with their state at the venue. */
  async #readOrders(instrumentId: InstrumentId): Promise<OwnStates> {
    const { source, signal, orders, onExternalOrders } = this.#options;
    const open = await source.openOrders(instrumentId, { signal });
    const read = await readOwnStates(orders.accepted(instrumentId), open, (own) => this.#ask(own));
    const { others } = read;
    this.#others.set(instrumentId, new Set(others.map((other) => other.venueOrderId)));
    if (orders.list(instrumentId).some((own) => own.venueOrderId === undefined)) return read;
    const isOwn = (order: VenueOrder): boolean => this.#book.knows(order);
    this.#unended.listed(instrumentId, others.filter(isOwn));
    const external = others.filter((order) => !isOwn(order));
    onExternalOrders(instrumentId, external);
    return read;
  }

  #inTurn<T>(instrumentId: InstrumentId, judge: () => Promise<T>): Promise<T> {
    return this.#judging.get(instrumentId)?.run(judge) ?? judge();
  }

  /** Takes over orders that triggers of the bot have made: from now on they are own orders. */
  async #adoptFired(instrumentId: InstrumentId): Promise<OwnStates['states']> {
    const stops = this.#options.mayHaveFired?.(instrumentId);
    if (stops?.[0] === undefined) return [];
    const pending = this.#waiting.ofInstrument(instrumentId);
    const { source, signal, forced } = this.#options;
    const fired = await findFired(this.#external(instrumentId, canBeTradeOf), stops, {
      ...{ source, signal },
      isForced: (close, stop) => forced?.wasForced(instrumentId, close, { stop, pending }) === true,
    });
    return fired.map(({ stop: { request, placedTime }, state }) => {
      const own = this.#options.orders.adopt(request, placedTime, state.venueOrderId);
      this.accepted(own);
      return { own, state };
    });
  }

  /**
   * Returns the executions of unknown orders that the venue made by itself. The others are reported as external. `isTold`: for an answer to an order, those that
   * it tells; the rest waits for the next poll (DESIGN R2).
   */
  async #judgeExternal(
    instrumentId: InstrumentId,
    isTold?: (trade: VenueTrade) => boolean,
  ): Promise<readonly ForcedFillUpdate[]> {
    const { forced } = this.#options;
    const external = this.#external(instrumentId);
    const pending = this.#waiting.ofInstrument(instrumentId);
    if (forced?.mayConcern(instrumentId, pending) !== true || external.length === 0) return [];
    const verdict = await forced.judge(instrumentId, external, pending);
    // Arrivals follow each other faster than a venue updates its account. Only polls count as tries.
    if (verdict.kind === 'undecided' && isTold !== undefined) return [];
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
    const told = isTold === undefined ? external : external.filter(isTold);
    for (const trade of told) this.#book.settle(trade);
    const ids = new Set<string | undefined>(told.map(({ venueTradeId }) => venueTradeId));
    return verdict.fills.filter(({ fill }) => ids.has(fill.venueTradeId));
  }

  async #ask(order: SentOrderState): Promise<VenueOrder | undefined> {
    const { source, signal } = this.#options;
    const { venueOrderId, request } = order;
    const { instrumentId } = request;
    if (venueOrderId === undefined) return undefined;
    // By the venue's id only: several orders may have had the same id of ours, and a claimed order has none.
    return possibleState(order, await source.order({ instrumentId, venueOrderId }, { signal }));
  }

  async #readTrades(instrumentId: InstrumentId): Promise<void> {
    const trades = (await this.#trades.get(instrumentId)?.read(this.#options.signal)) ?? [];
    this.#waiting.add(this.#book.take(trades));
    this.#reportLate();
    this.#book.forget(instrumentId);
    this.#reportExternal(instrumentId);
  }

  #reportLate(): void {
    const { orders, onLate, since = Number.NEGATIVE_INFINITY } = this.#options;
    const late = this.#waiting
      .orders()
      .filter((clientOrderId) => orders.find(clientOrderId) === undefined)
      .flatMap((clientOrderId) => this.#waiting.take(clientOrderId))
      .filter(({ eventTime }) => eventTime >= since);
    if (late.length > 0) onLate(late);
  }

  #reportExternal(instrumentId: InstrumentId): void {
    // Executions that the venue or a trigger may have made are judged at the next poll.
    const { mayHaveFired, forced } = this.#options;
    if ((mayHaveFired?.(instrumentId) ?? []).length > 0) return;
    const pending = this.#waiting.ofInstrument(instrumentId);
    if (forced?.mayConcern(instrumentId, pending) !== true)
      this.#report(this.#external(instrumentId));
  }

  /** Executions of orders that the bot did not send. Empty while one `mayBeOf` an own order that has no venue id yet: by default each may. */
  #external(instrumentId: InstrumentId, mayBeOf?: typeof canBeTradeOf): readonly VenueTrade[] {
    const { orders, since = Number.NEGATIVE_INFINITY } = this.#options;
    const lost = orders.list(instrumentId).filter(({ venueOrderId }) => venueOrderId === undefined);
    const found = this.#book.external.filter(
      (trade) => trade.instrumentId === instrumentId && trade.time >= since,
    );
    const isOwn = (trade: VenueTrade) => lost.some((order) => mayBeOf?.(trade, order) !== false);
    return found.some(isOwn) ? [] : found;
  }

  #report(found: readonly VenueTrade[]): void {
    // No own order of the instrument is without an id, so none can claim these trades later.
    for (const trade of found) this.#book.settle(trade);
    if (found.length > 0) this.#options.onExternal(found);
  }

  /** Updates of an order for the engine, from the state that the venue shows. */
  #newsOf(order: SentOrderState, state: VenueOrder): readonly Found[] {
    if (order.isEnded) return [];
    const { request } = order;
    const { clientOrderId, instrumentId } = request;
    const isFinal = isFinalStatus(state.status);
    if (isFinal && this.#book.unexplained(state) > 0n && !this.#bookSum(order, state)) return [];
    // The unfilled part of a quote amount is known only when the order has ended.
    if (!isFinal && request.unit === 'quote') return [];
    const fills = this.#waiting.take(clientOrderId, this.#unclaimed.reportedUntil(instrumentId));
    const isHeldBack = this.#waiting.of(clientOrderId).length > 0;
    const found = foundFills(order, fills, state.status === 'filled' && !isHeldBack);
    if (isHeldBack) return found;
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

  /** Books the fills of an ended order from its sum, after waiting for its trades. Returns whether it did. */
  #bookSum(order: SentOrderState, state: VenueOrder): boolean {
    const { estimateFee, now } = this.#options;
    order.unexplained += 1;
    if (estimateFee === undefined || order.unexplained < PATIENCE) return false;
    this.#waiting.add(this.#book.book(state, { at: now(), estimateFee }));
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
