import {
  fixedToNumber,
  missing,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
  type ResolvedRules,
} from '../domain/index.js';
import { Accounts } from './accounts/accounts.js';
import { createFuturesClearing, createMarginClearing } from './accounts/create-clearing.js';
import type { FundingTerms, FuturesClearing } from './futures/futures-clearing.js';
import { InstrumentMarket } from './instrument-market.js';
import type { MarginClearing } from './margin/margin-clearing.js';
import type { ConditionalRequest } from './orders/conditional-orders.js';
import { OrderEntry } from './orders/order-entry.js';
import { OrderMatcher } from './orders/order-matcher.js';
import {
  publishedPrice,
  type CandlePath,
  type PathCandle,
  type ExtremeOrder,
} from './path/candle-path.js';
import type { InstantSide, MarkUse } from './path/mark-feed.js';
import { OrderCorridors } from './path/order-corridors.js';
import type { WatchedLevel } from './path/path-doubt.js';
import { ProofReach } from './path/proof-reach.js';
import type { UndecidedFigures } from './path/undecided-candles.js';
import type { VenueOptions } from './venue-options.js';
import { describeVenue, type VenueState } from './venue-state.js';
import { VenueTimeline, type SeenCandle } from './venue-timeline.js';

export interface SimulatedVenueOptions extends VenueOptions {
  /** Chooses which extreme a candle visits first. Called once per candle, when the answer first matters: after the arrivals at its open. */
  readonly chooseOrder: (shape: PathCandle, market: InstrumentMarket) => ExtremeOrder;
}

/**
 * The core of the simulated venue for spot, margin and futures: stored candles as the market, exact ledgers, and the venue's own rules. It takes
 * plain requests and enforces the rules by itself. Time moves only by calls (DESIGN R1-R15). Where the rules leave a choice, docs/simulation.md
 * describes it.
 *
 * The calls for one instant T come in this order, and T never falls:
 *
 * 1. `completeUntil(T)`: runs the paths up to T, and closes candles that end at T (R1, step 2);
 * 2. `settleUntil(T)`: posts funding and interest that are due (step 3);
 * 3. the engine takes its updates (step 4);
 * 4. `openAt(T)`: opens candles: liquidation, triggers, resting orders (step 5);
 * 5. `admitWaiting(T)`, then `submit`, `submitConditional` and `cancel` for commands that arrive at T (step 6).
 *
 * After steps 4 and 5 nothing more can happen at T: liquidations that follow from a fill happen with it. {@link nextTime} is the time of the next
 * possible event, which is then after T. Whole candles may pass without the venue as long as {@link isIdleUntil}(their close) is true. Before the
 * next instant, {@link resumeAt}(the last close) moves the venue there.
 */
export class SimulatedVenue {
  readonly options: SimulatedVenueOptions;
  readonly #accounts: Accounts;
  readonly #matcher: OrderMatcher;
  readonly #timeline: VenueTimeline;
  readonly #futures: FuturesClearing | undefined;
  readonly #margin: MarginClearing | undefined;
  readonly #markets = new Map<InstrumentId, InstrumentMarket>();
  readonly #entry: OrderEntry;
  readonly #orderCorridors: OrderCorridors;
  /** Nothing can happen here by itself until this time, unless a method is called. */
  #idleUntil: EpochMs = Number.NEGATIVE_INFINITY;
  /** It grows while no order comes, because an order makes a proof invalid. */
  readonly #reach: ProofReach;
  #isAfterEnd = false;

  constructor(options: SimulatedVenueOptions) {
    this.options = options;
    this.#reach = new ProofReach(options.markets);
    this.#matcher = new OrderMatcher(options);
    for (const source of options.markets) {
      const { id } = source.instrument;
      const market = new InstrumentMarket(source, {
        participation: options.participation,
        stepAt: (time) => this.#rulesAt(id, time).step,
        chooseOrder: options.chooseOrder,
      });
      this.#markets.set(id, market);
    }
    this.#accounts = new Accounts({
      ...options,
      instruments: options.markets.map(({ instrument }) => instrument),
      marginPriceOf: (asset) => this.#margin?.priceOf(asset) ?? 0n,
    });
    const clearings = {
      options,
      accounts: this.#accounts,
      matcher: this.#matcher,
      markets: [...this.#markets.values()],
      rulesAt: (id: InstrumentId, time: EpochMs) => this.#rulesAt(id, time),
    };
    this.#futures = createFuturesClearing(clearings);
    this.#margin = createMarginClearing(clearings);
    const parts = {
      markets: this.#markets,
      matcher: this.#matcher,
      futures: this.#futures,
      margin: this.#margin,
    };
    const { rules, onUpdate } = options;
    // Parts are spread last. With members after them, the options of each venue would get an object shape of their own in the compiler.
    this.#entry = new OrderEntry({ rules, accounts: this.#accounts, onUpdate, ...parts });
    this.#timeline = new VenueTimeline({ entry: this.#entry, ...parts });
    this.#orderCorridors = new OrderCorridors(this.#markets.values());
  }

  // State.

  /**
   * Whether nothing can happen here by itself up to and including `time`, whatever the paths: no trigger or command waits, no path reaches a resting
   * order, nothing is due, and no position can be liquidated or called. `true` is certain. Fast enough to be called for every candle.
   */
  isIdleUntil(time: EpochMs): boolean {
    if (time <= this.#idleUntil) return true;
    if (!this.#entry.isEmpty) return false;
    const { all: resting } = this.#matcher.book;
    if (this.#futures === undefined && this.#margin === undefined && resting.size === 0) {
      this.#idleUntil = Number.POSITIVE_INFINITY;
      return true;
    }
    const due = this.#timeline.nextDue();
    if (due <= time) return false;
    // Proves many candles at once, so most calls need one comparison.
    const limit = Math.min(due - 1, time + this.#reach.length);
    this.#reach.grow();
    this.#idleUntil = Math.min(
      this.#futures?.watch.provenUntil(limit) ?? limit,
      this.#margin?.provenUntil(limit) ?? limit,
      this.#orderCorridors.provenUntil(this.#matcher.book, limit),
    );
    return time <= this.#idleUntil;
  }

  /** Time until which {@link isIdleUntil} is proved. */
  get idleUntil(): EpochMs {
    return this.#idleUntil;
  }

  /** The accounts, one for each traded product. Only read them: changes go through the venue. */
  get accounts(): Pick<Accounts, 'spot' | 'futures' | 'margin' | 'balances'> {
    return this.#accounts;
  }

  market(instrumentId: InstrumentId): InstrumentMarket {
    return this.#markets.get(instrumentId) ?? missing(`candles of ${instrumentId}`);
  }

  /** What liquidates each contract: its mark, or the last price if there is no mark; for the report (DESIGN R12). */
  markUses(): ReadonlyMap<InstrumentId, MarkUse> {
    return this.#futures?.markUses() ?? new Map<InstrumentId, MarkUse>();
  }

  /** Candles whose hidden path could have changed the result, open ones included (DESIGN R16). */
  undecided(): UndecidedFigures {
    return this.#timeline.undecided();
  }

  /** Whether the hidden path of any candle was read. If not, no other path could have led to another result. */
  get isPathAsked(): boolean {
    for (const market of this.#markets.values()) if (market.isPathAsked) return true;
    return false;
  }

  /** The state that determines the venue's future; undefined while it cannot be described. */
  state(): VenueState | undefined {
    return describeVenue({
      markets: this.#markets.values(),
      matcher: this.#matcher,
      entry: this.#entry,
      accounts: this.#accounts,
      margin: this.#margin,
    });
  }

  // Time.

  /** Skips a time in which nothing can happen. */
  skipTo(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.skipTo(time);
  }

  /**
   * Continues after whole candles have passed without the venue, at `time`, the close of the last of them. Candles that open at `time` are then open.
   */
  resumeAt(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.resumeAt(time);
  }

  /** When the next thing can happen by itself: a candle opens or closes, something is due, or the path reaches an order, a trigger or a liquidation. */
  nextTime(): EpochMs {
    return this.#timeline.nextTime();
  }

  /** When funding or interest is due next on positions and debts; Infinity if nothing is due. */
  nextDue(): EpochMs {
    return this.#timeline.nextDue();
  }

  /** Runs everything on the paths up to and including `time`, one event at a time. Candles that end by then close. */
  completeUntil(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.completeUntil(time);
  }

  /** Posts funding and interest that are due by `time` (DESIGN R11, R13). */
  settleUntil(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.settleUntil(time);
  }

  /** Opens the candles that open at `time`: first liquidation, then triggers, then resting orders that the open has reached or jumped over. */
  openAt(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.openAt(time);
  }

  /** Commands that waited for a candle to open arrive now. If no candle has opened, they continue to wait. */
  admitWaiting(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#entry.admitWaiting(time, () => {
      this.#endArrival(time);
    });
  }

  /** Drops the commands that wait for a candle to open, because no candle will open. */
  forgetWaiting(): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#entry.forgetWaiting();
  }

  /**
   * Ends a candle whose path was polled, after a row with its volume has been added. Orders that rested through it fill at their limit if its
   * extremes reached them (docs/simulation.md, Paper).
   */
  fillThrough(instrumentId: InstrumentId, seen: SeenCandle, time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.fillThrough(this.market(instrumentId), seen, time);
  }

  /** Settles the funding of a contract at a given rate and mark, if the contract is held. */
  settleFunding(instrumentId: InstrumentId, paid: FundingTerms): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#futures?.settleAt(instrumentId, paid);
  }

  /** After the run: orders that arrive from now on trade at the last close (DESIGN R14, `closeAtEnd`). */
  reopenAtLastClose(time: EpochMs): void {
    this.skipTo(time);
    this.completeUntil(time);
    for (const market of this.#markets.values()) market.reopenAtClose();
    this.#isAfterEnd = true;
  }

  // Commands.

  /** An order arrives. Its answer, and fills on arrival, are reported at once. */
  submit(request: OrderRequest, time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#reach.restart(time);
    this.#entry.submit(request, time);
    this.#endArrival(time);
  }

  /**
   * A conditional order arrives (DESIGN R10). The venue answers `accepted` with the trigger's id, and again for the order when it fires and rests.
   * Until it fires, it is canceled like an order.
   */
  submitConditional(condition: ConditionalRequest, time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#entry.submitConditional(condition, time);
  }

  /** A cancel arrives. Of several orders with one id it cancels the latest, as the venue does. */
  cancel(clientOrderId: ClientOrderId, time: EpochMs, isCondition = false): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#entry.cancel(clientOrderId, time, isCondition);
  }

  /**
   * Why an order would be rejected if it arrived now, or undefined. Places nothing. Also undefined while no candle is open: the venue cannot say
   * then.
   */
  test(request: OrderRequest, time: EpochMs): OrderReason | undefined {
    return this.#entry.test(request, time);
  }

  /**
   * Fills a resting order at its limit as if the market had reached it, as far as volume is left. Used for an order that fills while its cancel is on
   * the way. Does nothing if no such order rests.
   */
  fillAtLimit(clientOrderId: ClientOrderId, time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    const order = this.#matcher.book.find(clientOrderId);
    if (order?.market.isOpen !== true) return;
    this.#matcher.fillResting(order, time);
    this.#endArrival(time);
  }

  /** Liquidates after a fill on arrival, before anything else arrives. After the data nothing happens by itself. */
  #endArrival(time: EpochMs): void {
    if (!this.#isAfterEnd) this.#timeline.actOnChange(time);
  }

  // The market, as it is published and as it is watched.

  /** Path of the open candle. */
  path(instrumentId: InstrumentId): CandlePath {
    return this.market(instrumentId).path();
  }

  /** Last price as the venue would publish it at `time`: on the path of the open candle, otherwise the last close. */
  last(instrumentId: InstrumentId, time: EpochMs): Fixed {
    const tick = this.#tickAt(instrumentId, time);
    return publishedPrice(this.market(instrumentId).priceAt(time), tick);
  }

  /** A price of the path as the venue would publish it at `time`. */
  publish(instrumentId: InstrumentId, price: Fixed, time: EpochMs): Fixed {
    const tick = this.#tickAt(instrumentId, time);
    return publishedPrice({ numerator: price, denominator: 1n }, tick);
  }

  /** The tick of the published last price at the market's cursor, and the last instant until which it is known. */
  tickFrom(instrumentId: InstrumentId): { readonly tick: Fixed; readonly until: EpochMs } {
    const { cursor } = this.market(instrumentId);
    const { rules } = this.options;
    const tick = this.#tickAt(instrumentId, cursor);
    return { tick, until: rules.changeAfter(cursor) - 1 };
  }

  /**
   * Updates the marks of held contracts to `time`, before or after candles open then. The account then shows its results and margins of that instant.
   */
  markPositions(time: EpochMs, side: InstantSide = 'after'): void {
    this.#futures?.mark(time, side);
  }

  /** Whether the published last price may be at or beyond a level during the open candle. `false` is certain. */
  mayReach(instrumentId: InstrumentId, level: Fixed, side: 'below' | 'above'): boolean {
    const market = this.market(instrumentId);
    // Publishing rounds to the tick, so last may show up to half a tick beyond the path.
    const tick = this.#tickAt(instrumentId, market.openTime);
    return market.mayReach(fixedToNumber(side === 'below' ? level + tick : level - tick), side);
  }

  /** Records a stop that the engine watches during the open candle. It can make the candle undecided, as resting orders can. */
  noteStop(instrumentId: InstrumentId, stop: WatchedLevel): void {
    const market = this.market(instrumentId);
    if (market.isOpen) market.doubt.noteStop(stop);
  }

  #tickAt(instrumentId: InstrumentId, time: EpochMs): Fixed {
    return this.options.rules.at(instrumentId, time)?.tick ?? 1n;
  }

  #rulesAt(instrumentId: InstrumentId, time: EpochMs): ResolvedRules {
    return this.options.rules.at(instrumentId, time) ?? missing(`rules of ${instrumentId}`);
  }
}
