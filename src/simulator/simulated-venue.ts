import {
  DAY_MS,
  fixedToNumber,
  MINUTE_MS,
  missing,
  type Asset,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
  type ResolvedRules,
} from '../domain/index.js';
import { Accounts } from './accounts.js';
import {
  publishedPrice,
  type CandlePath,
  type CandleShape,
  type ExtremeOrder,
} from './candle-path.js';
import type { ConditionalRequest } from './conditional-orders.js';
import { createFuturesClearing, createMarginClearing } from './create-clearing.js';
import type { FundingTerms, FuturesClearing } from './futures-clearing.js';
import type { MarginClearing } from './margin-clearing.js';
import type { InstantSide, MarkUse } from './mark-feed.js';
import { InstrumentMarket } from './instrument-market.js';
import { OrderCorridors } from './order-corridors.js';
import { OrderEntry } from './order-entry.js';
import { OrderMatcher } from './order-matcher.js';
import type { WatchedStop } from './path-doubt.js';
import type { UndecidedFigures } from './undecided-candles.js';
import type { VenueOptions } from './venue-options.js';
import { describeVenue, type VenueState } from './venue-state.js';
import { VenueTimeline, type SeenCandle } from './venue-timeline.js';

const FIRST_REACH_MS = 64 * MINUTE_MS;

/** What a simulated venue is built from. */
export interface SimulatedVenueOptions extends VenueOptions {
  /** Chooses which extreme a candle visits first; asked once per candle, when it first matters, which is after what arrives at its open. */
  readonly chooseOrder: (shape: CandleShape, market: InstrumentMarket) => ExtremeOrder;
}

/**
 * The simulated venue's core for spot, margin and futures: stored candles as the market, exact ledgers, and the venue's own rules. It takes
 * plain requests and enforces the rules by itself; time moves only when it is told to (DESIGN R1-R15). Every choice it makes where the rules
 * leave one: docs/simulation.md.
 *
 * One instant T is told in this order, and T never falls:
 *
 * 1. `completeUntil(T)`: what happens on the paths up to T, and candles that end at T close (R1, step 2);
 * 2. `settleUntil(T)`: funding and interest that are due (step 3);
 * 3. the engine takes what it learns (step 4; `markAt` gives it the marks);
 * 4. `openAt(T)`: candles open: liquidation, triggers, resting orders (step 5);
 * 5. `admitWaiting(T)`, then `submit`, `submitConditional` and `cancel` for what arrives at T (step 6).
 *
 * Steps 4 and 5 leave nothing to happen at T: what a fill liquidates is liquidated with it. {@link nextTime} says when the next thing can
 * happen, which is after T then. Whole candles may pass without the venue as long as {@link isIdleUntil}(their close) is
 * true; before the next instant is told, {@link resumeAt}(the last close) brings the venue there.
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
  /** Until then nothing can happen here by itself, unless something is told. */
  #idleUntil: EpochMs = Number.NEGATIVE_INFINITY;
  /** How far ahead that is proved next: the longer nothing was ordered the farther, for an order ends what holds. */
  #reachMs = FIRST_REACH_MS;
  #isAfterEnd = false;

  constructor(options: SimulatedVenueOptions) {
    this.options = options;
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
    // Parts are spread last: members after them would give each venue's options a shape of their own to the compiler.
    this.#entry = new OrderEntry({ rules, accounts: this.#accounts, onUpdate, ...parts });
    this.#timeline = new VenueTimeline({ entry: this.#entry, ...parts });
    this.#orderCorridors = new OrderCorridors(this.#markets.values());
  }

  // What is there.

  /** Whether no order, trigger or command waits here. Positions may be held: see {@link isIdleUntil}. */
  get isIdle(): boolean {
    return this.#matcher.resting.size === 0 && this.#entry.isEmpty;
  }

  /**
   * Whether nothing can happen here by itself up to and including `time`, whatever the paths: no trigger or command waits, no path comes to an
   * order that rests, nothing is due, and what is held cannot be liquidated or called. Never wrong when it says so; fast enough to be asked for
   * every candle.
   */
  isIdleUntil(time: EpochMs): boolean {
    if (time <= this.#idleUntil) return true;
    if (!this.#entry.isEmpty) return false;
    const { resting } = this.#matcher;
    if (this.#futures === undefined && this.#margin === undefined && resting.size === 0) {
      this.#idleUntil = Number.POSITIVE_INFINITY;
      return true;
    }
    const due = this.#timeline.nextDue();
    if (due <= time) return false;
    // Proved for many candles at once: most of the time the answer is one comparison.
    const limit = Math.min(due - 1, time + this.#reachMs);
    this.#reachMs = Math.min(2 * this.#reachMs, DAY_MS);
    this.#idleUntil = Math.min(
      this.#futures?.watch.provenUntil(limit) ?? limit,
      this.#margin?.provenUntil(limit) ?? limit,
      this.#orderCorridors.provenUntil(this.#matcher.book, limit),
    );
    return time <= this.#idleUntil;
  }

  /** How far {@link isIdleUntil} was found to be true. */
  get idleUntil(): EpochMs {
    return this.#idleUntil;
  }

  /**
   * Everything owned less what is owed, held parts included, by asset, over all accounts. Unrealized results of contracts are not in it:
   * see {@link futuresLedger}.
   */
  balances(): ReadonlyMap<Asset, Fixed> {
    return this.#accounts.totals();
  }

  /** What of an asset is held by working orders. */
  locked(asset: Asset): Fixed {
    return this.#accounts.locked(asset);
  }

  /** The accounts, one for each product that is traded. To be read: what changes them is told to the venue. */
  get accounts(): Pick<Accounts, 'spot' | 'futures' | 'margin'> {
    return this.#accounts;
  }

  market(instrumentId: InstrumentId): InstrumentMarket {
    return this.#markets.get(instrumentId) ?? missing(`candles of ${instrumentId}`);
  }

  /** What liquidates each contract: its mark, or last where there is none; for the report to say (DESIGN R12). */
  markUses(): ReadonlyMap<InstrumentId, MarkUse> {
    return this.#futures?.markUses() ?? new Map<InstrumentId, MarkUse>();
  }

  /** Candles whose hidden path could have changed what happened, the open ones included (DESIGN R16). */
  undecided(): UndecidedFigures {
    return this.#timeline.undecided();
  }

  /** Whether the hidden path of any candle was asked for: where none was, no path could have led elsewhere. */
  get isPathAsked(): boolean {
    for (const market of this.#markets.values()) if (market.isPathAsked) return true;
    return false;
  }

  /** What its future follows from; undefined while that cannot be said. */
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

  /** Moves over a time in which nothing can happen. */
  skipTo(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.skipTo(time);
  }

  /** After whole candles have passed without the venue: it stands at `time`, the close of the last of them, and what opens there is open. */
  resumeAt(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.resumeAt(time);
  }

  /**
   * When the next thing can happen by itself: a candle opens or closes, something is due, or the path comes to an order, a trigger or a
   * liquidation.
   */
  nextTime(): EpochMs {
    return this.#timeline.nextTime();
  }

  /** When funding or interest is due next on what is held; Infinity when nothing is. */
  nextDue(): EpochMs {
    return this.#timeline.nextDue();
  }

  /** Everything on the paths up to and including `time` happens, one thing at a time; candles that end by then close. */
  completeUntil(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.completeUntil(time);
  }

  /** Funding and interest that are due by `time` are posted (DESIGN R11, R13). */
  settleUntil(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.settleUntil(time);
  }

  /** Candles that open at `time` open: liquidation, then triggers, then resting orders that their open has reached or jumped over. */
  openAt(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.openAt(time);
  }

  /** Commands that waited for a candle to open arrive now. They wait on where none has opened. */
  admitWaiting(time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#entry.admitWaiting(time, () => {
      this.#endArrival(time);
    });
  }

  /** Commands that wait for a candle to open never arrive: there is none. */
  forgetWaiting(): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#entry.forgetWaiting();
  }

  /**
   * A candle is over whose path was polled, and a row with its volume has been added: what rested through it fills at its limit where the
   * extremes came to it (docs/simulation.md, Paper).
   */
  fillThrough(instrumentId: InstrumentId, seen: SeenCandle, time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#timeline.fillThrough(this.market(instrumentId), seen, time);
  }

  /** Settles the funding of a contract at a rate and mark that were read, on what is held of it. */
  settleFunding(instrumentId: InstrumentId, paid: FundingTerms): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#futures?.settleAt(instrumentId, paid);
  }

  /** After the run: what arrives from now on trades at the last close (DESIGN R14, `closeAtEnd`). */
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
    this.#reachMs = FIRST_REACH_MS;
    this.#entry.submit(request, time);
    this.#endArrival(time);
  }

  /**
   * A conditional order arrives (DESIGN R10). The venue answers `accepted` with the trigger's id, and again for the order when it fires and
   * rests. It is canceled as an order is, until it fires.
   */
  submitConditional(condition: ConditionalRequest, time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#entry.submitConditional(condition, time);
  }

  /** A cancel arrives. Of several orders with one id it takes the latest, as the venue does. */
  cancel(clientOrderId: ClientOrderId, time: EpochMs, isCondition = false): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    this.#entry.cancel(clientOrderId, time, isCondition);
  }

  /** Why an order that arrived now would be rejected, or undefined; nothing is placed. While no candle is open the venue cannot say. */
  test(request: OrderRequest, time: EpochMs): OrderReason | undefined {
    return this.#entry.test(request, time);
  }

  /**
   * Has a resting order filled at its limit as if the market had come to it, as far as volume is left: how an order fills while its cancel is
   * on the way. Nothing happens where no such order rests.
   */
  fillAtLimit(clientOrderId: ClientOrderId, time: EpochMs): void {
    this.#idleUntil = Number.NEGATIVE_INFINITY;
    const order = this.#matcher.book.find(clientOrderId);
    if (order?.market.isOpen !== true) return;
    this.#matcher.fillResting(order, time);
    this.#endArrival(time);
  }

  /** What a fill on arrival liquidates is liquidated before anything else arrives; after the data nothing happens by itself. */
  #endArrival(time: EpochMs): void {
    if (!this.#isAfterEnd) this.#timeline.actOnChange(time);
  }

  // The market, as it is published and as it is watched.

  /** Path of the open candle. */
  path(instrumentId: InstrumentId): CandlePath {
    return this.market(instrumentId).path();
  }

  /** Last price as the venue would publish it at `time`: on the path of the open candle, else the last close. */
  last(instrumentId: InstrumentId, time: EpochMs): Fixed {
    const tick = this.#tickAt(instrumentId, time);
    return publishedPrice(this.market(instrumentId).priceAt(time), tick);
  }

  /** A price of the path as the venue would publish it at `time`. */
  publish(instrumentId: InstrumentId, price: Fixed, time: EpochMs): Fixed {
    const tick = this.#tickAt(instrumentId, time);
    return publishedPrice({ numerator: price, denominator: 1n }, tick);
  }

  /** The tick on which last is published from where the market stands, and the last instant of which that is known. */
  tickFrom(instrumentId: InstrumentId): { readonly tick: Fixed; readonly until: EpochMs } {
    const { cursor } = this.market(instrumentId);
    const { rules } = this.options;
    const tick = this.#tickAt(instrumentId, cursor);
    return { tick, until: rules.changeAfter(cursor) - 1 };
  }

  /** Mark price of a contract at `time`, for who watches it: as a float, because nothing is traded at it. Undefined for other instruments. */
  markAt(instrumentId: InstrumentId, time: EpochMs): number | undefined {
    const mark = this.#futures?.markAt(instrumentId, time);
    return mark === undefined ? undefined : fixedToNumber(mark);
  }

  /** Brings the marks of what is held to `time`, before or after what opens at it: the account then shows its results and margins of that instant. */
  markPositions(time: EpochMs, side: InstantSide = 'after'): void {
    this.#futures?.mark(time, side);
  }

  /** Whether last may be published at or beyond a level during the open candle: never wrong when it says no. */
  mayReach(instrumentId: InstrumentId, level: Fixed, side: 'below' | 'above'): boolean {
    const market = this.market(instrumentId);
    // Publishing rounds to the tick, so last may show up to half a tick beyond the path.
    const tick = this.#tickAt(instrumentId, market.openTime);
    return market.mayReach(fixedToNumber(side === 'below' ? level + tick : level - tick), side);
  }

  /** A stop that the engine watches during the open candle: it can make the candle undecided as resting orders do. */
  noteStop(instrumentId: InstrumentId, stop: WatchedStop): void {
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
