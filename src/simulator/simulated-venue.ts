import {
  fixedToNumber,
  present,
  type Asset,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
  type ResolvedRules,
  type RuleBook,
} from '../domain/index.js';
import {
  publishedPrice,
  type CandlePath,
  type CandleShape,
  type ExtremeOrder,
} from './candle-path.js';
import { Accounts, type AccountBalances } from './accounts.js';
import { chooseGreedyOrder } from './greedy.js';
import { MarketTape, type TapeSource } from './market-tape.js';
import { takerPrice } from './matching.js';
import { OrderMatcher, type MatchingTerms } from './order-matcher.js';
import type { WatchedStop } from './path-doubt.js';
import { compareReached, type RestingOrder } from './resting-order.js';
import { findRuleViolation, reason } from './venue-rules.js';

export interface SimulatedVenueOptions extends MatchingTerms {
  readonly tapes: readonly TapeSource[];
  readonly rules: RuleBook;
  /** What each account starts with. */
  readonly balances: AccountBalances;
  /** Share of a candle's volume that orders may take, or no limit (DESIGN R6). */
  readonly participation: Fixed | 'off';
  /** Chooses which extreme a candle visits first; asked once per candle, when it first matters, which is after what arrives at its open. */
  readonly chooseOrder: (
    shape: CandleShape,
    venue: SimulatedVenue,
    tape: MarketTape,
  ) => ExtremeOrder;
}

/**
 * The simulated venue's core for spot: stored candles as the market, an exact ledger, and the venue's own rules. It takes plain
 * requests and enforces the rules by itself; time moves only when it is told to (DESIGN R1-R8, R14). Every choice it makes where the
 * rules leave one: docs/simulation.md.
 *
 * One instant T is told in this order: {@link completeUntil}(T), {@link openAt}(T), {@link admitWaiting}(T), then {@link submit} and {@link cancel} for what
 * arrives at T.
 */
export class SimulatedVenue {
  readonly options: SimulatedVenueOptions;
  readonly #accounts: Accounts;
  readonly #matcher: OrderMatcher;
  readonly #tapes = new Map<InstrumentId, MarketTape>();
  /** Orders that arrived while no candle was open: they wait for the next open. */
  #waiting: OrderRequest[] = [];
  #undecidedCandles = 0;

  constructor(options: SimulatedVenueOptions) {
    this.options = options;
    this.#accounts = new Accounts(options);
    this.#matcher = new OrderMatcher(options);
    for (const source of options.tapes) {
      const { id } = source.instrument;
      const tape = new MarketTape(source, {
        participation: options.participation,
        stepAt: (time) => present(this.#rules(id, time), `rules of ${id}`).step,
        chooseOrder: (shape, asking) => options.chooseOrder(shape, this, asking),
      });
      this.#tapes.set(id, tape);
    }
  }

  /** Whether nothing can happen here before the next command arrives. */
  get isIdle(): boolean {
    return this.#matcher.resting.size === 0 && this.#waiting.length === 0;
  }

  /** Free and locked together, by asset. */
  balances(): ReadonlyMap<Asset, Fixed> {
    return this.#accounts.totals();
  }

  /** What of an asset is held by working orders. */
  locked(asset: Asset): Fixed {
    return this.#accounts.locked(asset);
  }

  tape(instrumentId: InstrumentId): MarketTape {
    return present(this.#tapes.get(instrumentId), `candles of ${instrumentId}`);
  }

  // Time.

  /** Moves over a time in which nothing can happen. */
  skipTo(time: EpochMs): void {
    for (const tape of this.#tapes.values()) {
      if (tape.isOpen && tape.closeTime < time) this.#close(tape);
      tape.skipTo(time);
    }
  }

  #close(tape: MarketTape): void {
    if (tape.isUndecided) this.#undecidedCandles += 1;
    tape.close();
  }

  /** Candles whose hidden path could have changed what happened, the open one included (DESIGN R16). */
  get undecidedCandles(): number {
    let count = this.#undecidedCandles;
    for (const tape of this.#tapes.values()) if (tape.isOpen && tape.isUndecided) count += 1;
    return count;
  }

  /** When the next thing can happen by itself: a candle opens or closes, or the path comes to a resting order. */
  nextTime(): EpochMs {
    let next = Number.POSITIVE_INFINITY;
    for (const tape of this.#tapes.values()) next = Math.min(next, tape.nextBoundary());
    for (const order of this.#matcher.resting) next = Math.min(next, order.reachTime() ?? next);
    return next;
  }

  /** Everything on the paths up to and including `time` happens, one fill at a time; candles that end by then close. */
  completeUntil(time: EpochMs): void {
    for (
      let reached = this.#nextReached(time);
      reached !== undefined;
      reached = this.#nextReached(time)
    ) {
      this.#matcher.fillResting(reached.order, reached.time);
    }
    for (const tape of this.#tapes.values()) {
      tape.cursor = Math.max(tape.cursor, time);
      if (tape.isOpen && tape.closeTime <= time) this.#close(tape);
    }
  }

  /** Next order that its path reaches by `until`: the earliest; at one instant by instrument, then as {@link compareReached} says. */
  #nextReached(
    until: EpochMs,
  ): { readonly order: RestingOrder; readonly time: EpochMs } | undefined {
    let next: { readonly order: RestingOrder; readonly time: EpochMs } | undefined;
    for (const order of this.#matcher.resting) {
      const time = order.reachTime();
      if (time === undefined || time > until) continue;
      const isFirst =
        next === undefined ||
        time < next.time ||
        (time === next.time && this.#compare(order, next.order) < 0);
      if (isFirst) next = { order, time };
    }
    return next;
  }

  #compare(a: RestingOrder, b: RestingOrder): number {
    if (a.tape === b.tape) return compareReached(a, b);
    const tapes = [...this.#tapes.values()];
    return tapes.indexOf(a.tape) - tapes.indexOf(b.tape);
  }

  /** Candles that open at `time` open: resting orders that their open has reached or jumped over fill. */
  openAt(time: EpochMs): void {
    for (const tape of this.#tapes.values()) {
      if (tape.isOpen || tape.nextBoundary() !== time) continue;
      tape.open();
      const orders = this.#matcher.restingOf(tape.source.instrument.id);
      if (orders.length === 0) continue;
      const open = tape.priceAt(time);
      for (const order of [...orders].sort(compareReached)) {
        tape.doubt.noteLevel(order);
        if (order.isReachedAt(open)) this.#matcher.fillResting(order, time);
      }
    }
  }

  /** Orders that waited for a candle to open arrive now. They wait on where none has opened. */
  admitWaiting(time: EpochMs): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const request of waiting) this.submit(request, time);
  }

  /** After the data: what arrives from now on trades at the last close (DESIGN R14, `closeAtEnd`). */
  reopenAtLastClose(time: EpochMs): void {
    this.skipTo(time);
    this.completeUntil(time);
    for (const tape of this.#tapes.values()) tape.reopenAtClose();
  }

  // Commands.

  /** An order arrives. Its answer, and fills on arrival, are reported at once. */
  submit(request: OrderRequest, time: EpochMs): void {
    const tape = this.#tapes.get(request.instrumentId);
    const rules = this.#rules(request.instrumentId, time);
    if (tape === undefined || rules === undefined) {
      const why = reason('badSymbol', `unknown instrument ${request.instrumentId}`);
      this.#matcher.reject(request, time, why);
      return;
    }
    if (!tape.isOpen) {
      this.#waiting.push(request);
      return;
    }
    const path = tape.priceAt(time);
    if (tape.isUnderWay(time)) tape.doubt.noteArrival(arrivalMoney(request, tape, path));
    const violation = findRuleViolation(request, rules, {
      instrument: tape.source.instrument,
      last: publishedPrice(path, rules.tick),
      workingOrders: this.#matcher.restingOf(request.instrumentId).length,
    });
    const account = this.#accounts.of(tape.source.instrument);
    const arrival = { tape, account, rules, path, time };
    if (violation !== undefined) this.#matcher.reject(request, time, violation);
    else if (request.type === 'market') this.#matcher.executeMarket(request, arrival);
    else this.#matcher.executeLimit(request, arrival);
  }

  /** A cancel arrives. Of several orders with one id it takes the latest, as the venue does. */
  cancel(clientOrderId: ClientOrderId, time: EpochMs): void {
    const waiting = this.#waiting.findLast((request) => request.clientOrderId === clientOrderId);
    const order = this.#matcher.find(clientOrderId);
    const request = waiting ?? order?.request;
    if (request === undefined) {
      this.options.onUpdate({
        kind: 'cancel-rejected',
        clientOrderId,
        reason: reason('unknownOrder', 'the order does not work any more'),
        eventTime: time,
      });
      return;
    }
    if (waiting !== undefined) {
      this.#waiting = this.#waiting.filter((candidate) => candidate !== waiting);
    } else if (order !== undefined) {
      // Whether it would have filled first is for the hidden path to say.
      if (order.mayBeReached && order.tape.isUnderWay(time))
        order.tape.doubt.noteArrival(order.money());
      this.#matcher.remove(order);
    }
    this.#matcher.cancel(request, time, { code: '0', text: 'canceled on request' });
  }

  // The market, as it is published and as it is watched.

  /** Path of the open candle. */
  path(instrumentId: InstrumentId): CandlePath {
    return this.tape(instrumentId).path();
  }

  /** Last price as the venue would publish it at `time`: on the path of the open candle, else the last close. */
  last(instrumentId: InstrumentId, time: EpochMs): Fixed {
    const tick = this.#rules(instrumentId, time)?.tick ?? 1n;
    return publishedPrice(this.tape(instrumentId).priceAt(time), tick);
  }

  /** Whether last may be published at or beyond a level during the open candle: never wrong when it says no. */
  mayReach(instrumentId: InstrumentId, level: Fixed, side: 'below' | 'above'): boolean {
    const tape = this.tape(instrumentId);
    // Publishing rounds to the tick, so last may show up to half a tick beyond the path.
    const tick = this.#rules(instrumentId, tape.openTime)?.tick ?? 1n;
    return tape.mayReach(fixedToNumber(side === 'below' ? level + tick : level - tick), side);
  }

  /** A stop that the engine watches during the open candle: it can make the candle undecided as resting orders do. */
  noteStop(instrumentId: InstrumentId, stop: WatchedStop): void {
    const tape = this.tape(instrumentId);
    if (tape.isOpen) tape.doubt.noteStop(stop);
  }

  /** Which extreme first leaves less, or more, equity at the candle's close (DESIGN R16). */
  greedyOrder(
    shape: CandleShape,
    tape: MarketTape,
    options: { readonly preference: 'less' | 'more'; readonly stops: readonly WatchedStop[] },
  ): ExtremeOrder {
    const { instrument } = tape.source;
    const { tick, step } = present(this.#rules(instrument.id, shape.openTime), 'rules');
    const totals = this.#accounts.totals();
    return chooseGreedyOrder(
      shape,
      {
        instrument,
        base: totals.get(instrument.base) ?? 0n,
        quote: totals.get(instrument.quote) ?? 0n,
        orders: this.#matcher.restingOf(instrument.id),
        stops: options.stops,
        pool: tape.pool(),
        step,
        fees: this.options.fees.ratesAt(instrument.id, shape.openTime),
        from: Math.max(tape.cursor, shape.openTime),
        takerPrice: (quantity, price) =>
          takerPrice('sell', price, { cost: this.#matcher.takerCost(tape, quantity), tick }),
      },
      options.preference,
    );
  }

  #rules(instrumentId: InstrumentId, time: EpochMs): ResolvedRules | undefined {
    return this.options.rules.at(instrumentId, time);
  }
}
