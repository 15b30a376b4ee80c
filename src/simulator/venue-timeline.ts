import type { EpochMs, Fixed, InstrumentId } from '../domain/index.js';
import type { FuturesClearing } from './futures/futures-clearing.js';
import type { LiquidationPoint } from './futures/liquidation-watch.js';
import { InstantSteps } from './instant-steps.js';
import type { InstrumentMarket } from './instrument-market.js';
import type { MarginClearing } from './margin/margin-clearing.js';
import type { WaitingTrigger } from './orders/conditional-orders.js';
import type { OrderEntry } from './orders/order-entry.js';
import type { OrderMatcher } from './orders/order-matcher.js';
import { compareReached, type RestingOrder } from './orders/resting-order.js';
import { UndecidedCandles, type UndecidedFigures } from './path/undecided-candles.js';

interface TimelineOptions {
  /** In the order of the instruments. */
  readonly markets: ReadonlyMap<InstrumentId, InstrumentMarket>;
  readonly matcher: OrderMatcher;
  readonly futures: FuturesClearing | undefined;
  readonly margin: MarginClearing | undefined;
  readonly entry: OrderEntry;
}

/** A candle that is over, with all that is known about it. */
export interface SeenCandle {
  readonly openTime: EpochMs;
  readonly high: Fixed;
  readonly low: Fixed;
}

/** An order and when its path reaches it. */
interface ReachedOrder {
  readonly order: RestingOrder;
  readonly time: EpochMs;
}

/** The next event on the paths. */
interface Happening {
  readonly time: EpochMs;
  readonly act: () => void;
}

/** Runs the events that happen at the venue by itself, in the order of DESIGN R1. */
export class VenueTimeline {
  readonly #options: TimelineOptions;
  readonly #markets: readonly InstrumentMarket[];
  readonly #undecided = new UndecidedCandles();
  readonly #steps = new InstantSteps('the simulated venue');

  constructor(options: TimelineOptions) {
    this.#options = options;
    this.#markets = [...options.markets.values()];
  }

  /** Candles whose hidden path could have changed the result, open ones included. */
  undecided(): UndecidedFigures {
    return this.#undecided.figures(this.#markets);
  }

  /** Skips a time in which nothing can happen. */
  skipTo(time: EpochMs): void {
    for (const market of this.#markets) {
      if (market.isOpen && market.closeTime < time) this.#close(market);
      market.skipTo(time);
    }
    this.#pathsChanged();
  }

  /**
   * Continues after a time in which nothing could happen, up to and including `time`. Candles that close then are closed, candles that open then are
   * open.
   */
  resumeAt(time: EpochMs): void {
    const { futures, margin, matcher } = this.#options;
    if (futures !== undefined || margin !== undefined || matcher.book.all.size > 0) {
      // Closes are processed once more, to count candles whose path could have mattered to positions or resting orders.
      this.skipTo(time);
      this.completeUntil(time);
      this.openAt(time);
      return;
    }
    for (const market of this.#markets) {
      // Nothing has happened in any other candle, so no other can be undecided.
      if (market.isDoubted && market.isOpen && market.closeTime <= time) this.#close(market);
      market.resumeAt(time);
    }
  }

  #close(market: InstrumentMarket): void {
    if (this.#options.matcher.book.all.size > 0) this.#options.matcher.leaveBehind(market);
    this.#undecided.close(market);
    market.close();
  }

  #pathsChanged(): void {
    this.#options.futures?.watch.invalidate();
    this.#options.margin?.invalidate();
  }

  /** When the next thing can happen by itself. */
  nextTime(): EpochMs {
    const { matcher, entry, futures, margin } = this.#options;
    let next = Number.POSITIVE_INFINITY;
    for (const market of this.#markets) next = Math.min(next, market.nextBoundary());
    if (matcher.book.mayAct)
      for (const order of matcher.book.all) next = Math.min(next, order.reachTime() ?? next);
    for (const trigger of entry.triggers) next = Math.min(next, trigger.reachTime() ?? next);
    if (futures !== undefined)
      next = Math.min(next, futures.nextDue(), futures.watch.next()?.time ?? next);
    if (margin !== undefined) next = Math.min(next, margin.nextDue(), margin.nextTime() ?? next);
    return next;
  }

  /** When funding or interest is due next; neither needs a path. */
  nextDue(): EpochMs {
    const { futures, margin } = this.#options;
    return Math.min(
      futures?.nextDue() ?? Number.POSITIVE_INFINITY,
      margin?.nextDue() ?? Number.POSITIVE_INFINITY,
    );
  }

  completeUntil(time: EpochMs): void {
    const { futures, margin, entry } = this.#options;
    if (futures === undefined && margin === undefined && entry.triggers.size === 0)
      this.#fillUntil(time);
    else this.#happenUntil(time);
    this.#moveTo(time);
    let hasClosed = false;
    for (const market of this.#markets) {
      if (!market.isOpen || market.closeTime > time) continue;
      this.#close(market);
      hasClosed = true;
    }
    if (hasClosed) this.#pathsChanged();
  }

  /** Runs the paths if only resting orders can act. */
  #fillUntil(until: EpochMs): void {
    const { matcher } = this.#options;
    for (let next = this.#nextOrder(until); next !== undefined; next = this.#nextOrder(until)) {
      this.#steps.count(next.time);
      matcher.fillResting(next.order, next.time);
    }
  }

  #happenUntil(until: EpochMs): void {
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#steps.count(next.time);
      this.#moveTo(next.time);
      next.act();
    }
  }

  #moveTo(time: EpochMs): void {
    for (const market of this.#markets) if (market.cursor < time) market.cursor = time;
  }

  /** The earliest event by `until`. At one instant liquidation and margin calls come first, then triggers, then resting orders. */
  #next(until: EpochMs): Happening | undefined {
    const { margin, futures } = this.#options;
    const order = this.#nextOrder(until);
    const trigger = this.#nextTrigger();
    const call = margin?.nextTime();
    const point = futures?.watch.next();
    let next: Happening | undefined;
    if (order !== undefined) next = this.#fillOf(order);
    if (trigger !== undefined && trigger.time <= Math.min(until, next?.time ?? until))
      next = trigger;
    if (call !== undefined && call <= Math.min(until, next?.time ?? until))
      next = this.#callAt(call);
    if (point !== undefined && point.time <= Math.min(until, next?.time ?? until))
      next = this.#liquidationAt(point);
    return next;
  }

  // These are separate functions, so that `#next` creates no closure when nothing happens. It is called with each order.

  #fillOf({ order, time }: ReachedOrder): Happening {
    const { matcher, futures, margin } = this.#options;
    return {
      time,
      act: () => {
        futures?.passBoundary(time - 1);
        margin?.passBoundary(time - 1);
        margin?.moveTo(time);
        futures?.markForFill(time, 'before');
        matcher.fillResting(order, time);
      },
    };
  }

  #callAt(time: EpochMs): Happening {
    return { time, act: () => this.#options.margin?.actAt(time) };
  }

  #liquidationAt(point: LiquidationPoint): Happening {
    return { time: point.time, act: () => this.#options.futures?.liquidateAt(point) };
  }

  /** The next order that its path reaches by `until`: the earliest; at one instant sorted by instrument, then by {@link compareReached}. */
  #nextOrder(until: EpochMs): ReachedOrder | undefined {
    const { book } = this.#options.matcher;
    if (!book.mayAct) return undefined;
    let next: ReachedOrder | undefined;
    for (const order of book.all) {
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
    if (a.market === b.market) return compareReached(a, b);
    return this.#markets.indexOf(a.market) - this.#markets.indexOf(b.market);
  }

  /** The next trigger that its path reaches: the earliest; at one instant the older one. */
  #nextTrigger(): Happening | undefined {
    const { triggers } = this.#options.entry;
    if (triggers.size === 0) return undefined;
    let next: { readonly trigger: WaitingTrigger; readonly time: EpochMs } | undefined;
    for (const trigger of triggers) {
      const time = trigger.reachTime();
      if (time !== undefined && (next === undefined || time < next.time)) next = { trigger, time };
    }
    return next && this.#firingOf(next.trigger, next.time);
  }

  #firingOf(trigger: WaitingTrigger, time: EpochMs): Happening {
    return {
      time,
      act: () => {
        this.#options.entry.fire(trigger, { path: trigger.firedAt(time), time, side: 'before' });
      },
    };
  }

  /** Posts funding and interest that are due by `time`. */
  settleUntil(time: EpochMs): void {
    const { futures, margin } = this.#options;
    for (let due = this.nextDue(); due <= time; due = this.nextDue()) {
      this.#steps.count(due);
      futures?.settle(due);
      margin?.settle(due);
    }
  }

  /** Opens the candles that open at `time`: first liquidation, then triggers, then resting orders that the open has reached or jumped over. */
  openAt(time: EpochMs): void {
    const { futures, margin } = this.#options;
    let hasOpened = false;
    for (const market of this.#markets) {
      if (market.isOpen || market.nextBoundary() !== time) continue;
      market.open();
      hasOpened = true;
    }
    futures?.passBoundary(time);
    margin?.passBoundary(time);
    if (hasOpened) {
      this.#pathsChanged();
      futures?.liquidateNow(time);
      margin?.actAtOpen(time);
      if (this.#options.entry.triggers.size > 0) this.#fireAtOpen(time);
      for (const market of this.#markets) if (opensAt(market, time)) this.#fillAtOpen(market, time);
    }
    this.actOnChange(time);
  }

  /**
   * A fill or a settlement may leave too little money. The venue's liquidation or margin call belongs to the same instant, so that nothing is left to
   * happen after it.
   */
  actOnChange(time: EpochMs): void {
    const { futures, margin } = this.#options;
    futures?.liquidateChanged(time);
    margin?.actOnChange(time);
  }

  #fireAtOpen(time: EpochMs): void {
    for (const trigger of [...this.#options.entry.triggers]) {
      const { market } = trigger;
      if (!opensAt(market, time)) continue;
      market.doubt.noteLevel(trigger);
      const open = market.priceAt(time);
      if (trigger.isReachedAt(open))
        this.#options.entry.fire(trigger, { path: open, time, side: 'after' });
    }
  }

  #fillAtOpen(market: InstrumentMarket, time: EpochMs): void {
    const { matcher, futures } = this.#options;
    const { book } = matcher;
    if (book.countOf(market.source.instrument.id) === 0) return;
    futures?.markForFill(time, 'after');
    // A candle that reaches none of the orders is not affected by them.
    if (!book.mayReach(market) && !book.takes && !market.hasFiner) return;
    const open = market.priceAt(time);
    for (const order of [...book.of(market.source.instrument.id)].sort(compareReached)) {
      order.meet(open);
      if (!order.takes) market.doubt.noteLevel(order);
      if (order.takes || order.isReachedAt(open)) matcher.fillResting(order, time);
    }
  }

  /** Ends a candle whose path nobody saw: orders that rested through it fill if its extremes reached them, as far as its volume goes. */
  fillThrough(market: InstrumentMarket, seen: SeenCandle, time: EpochMs): void {
    const { matcher, futures, margin } = this.#options;
    market.open();
    market.renewPool();
    futures?.passBoundary(time);
    margin?.passBoundary(time);
    futures?.markForFill(time, 'after');
    for (const order of [...matcher.book.of(market.source.instrument.id)].sort(compareReached)) {
      const extreme = order.reachSide === 'below' ? seen.low : seen.high;
      const isReached = order.isReachedAt({ numerator: extreme, denominator: 1n });
      // An order that takes waits for the next price.
      if (isReached && !order.takes && order.since <= seen.openTime)
        matcher.fillResting(order, time);
    }
    this.#close(market);
    market.beginPool();
    this.#pathsChanged();
  }
}

function opensAt(market: InstrumentMarket, time: EpochMs): boolean {
  return market.isOpen && market.openTime === time;
}
