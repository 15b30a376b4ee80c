import {
  CANCELED_ON_REQUEST,
  present,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
  type RuleBook,
  type VenueOrderId,
} from '../domain/index.js';
import type { VenueUpdate } from '../venue/index.js';
import type { Accounts } from './accounts.js';
import type { PathPrice } from './candle-path.js';
import {
  findTriggerViolation,
  WaitingTrigger,
  type ConditionalRequest,
} from './conditional-orders.js';
import type { FuturesClearing } from './futures-clearing.js';
import type { MarginClearing } from './margin-clearing.js';
import type { InstantSide } from './mark-feed.js';
import type { InstrumentMarket } from './instrument-market.js';
import { moneyOf } from './money.js';
import type { Arrival, OrderMatcher, TradingPlace } from './order-matcher.js';
import { findRuleViolation, isBelowMinimum, reason } from './venue-rules.js';

/** A command that arrived while no candle was open: it waits for the next open. */
interface WaitingCommand {
  readonly request: OrderRequest;
  readonly condition: ConditionalRequest | undefined;
}

export interface OrderEntryOptions {
  readonly markets: ReadonlyMap<InstrumentId, InstrumentMarket>;
  readonly rules: RuleBook;
  readonly matcher: OrderMatcher;
  readonly accounts: Accounts;
  readonly futures: FuturesClearing | undefined;
  readonly margin: MarginClearing | undefined;
  readonly onUpdate: (update: VenueUpdate) => void;
}

/** Where commands arrive: what is not fit for the venue is turned away here, with the venue's codes; the rest meets the path (DESIGN R10, R14). */
export class OrderEntry {
  readonly #options: OrderEntryOptions;
  readonly #matcher: OrderMatcher;
  readonly #triggers = new Set<WaitingTrigger>();
  /** Where was traded last, which is nearly always where is traded next. */
  #place: TradingPlace | undefined;
  #waiting: WaitingCommand[] = [];
  #lastTrigger = 0;

  constructor(options: OrderEntryOptions) {
    this.#options = options;
    this.#matcher = options.matcher;
  }

  /** Conditional orders that wait, oldest first. */
  get triggers(): ReadonlySet<WaitingTrigger> {
    return this.#triggers;
  }

  /** Whether a command waits for a candle to open. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether nothing waits here. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#triggers.size === 0;
  }

  /** What waits for a candle to open never arrives. */
  forgetWaiting(): void {
    this.#waiting = [];
  }

  /** Commands that waited for a candle to open arrive now, each followed by `onArrived`. They wait on where none has opened. */
  admitWaiting(time: EpochMs, onArrived: () => void): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const { request, condition } of waiting) {
      if (condition === undefined) this.submit(request, time);
      else this.submitConditional(condition, time);
      onArrived();
    }
  }

  /** An order arrives. Its answer, and fills on arrival, are reported at once. */
  submit(request: OrderRequest, time: EpochMs): void {
    const place = this.#placeOf(request.instrumentId, time);
    if (place === undefined) {
      this.#matcher.reject(request, time, unknownInstrument(request));
      return;
    }
    const { market } = place;
    if (!market.isOpen) {
      this.#waiting.push({ request, condition: undefined });
      return;
    }
    const path = market.priceAt(time);
    if (market.isUnderWay(time)) market.doubt.noteArrival(moneyOfArrival(request, market, path));
    this.#arrive(request, { place, path, time }, 'after');
  }

  /**
   * A conditional order arrives (DESIGN R10). The venue answers `accepted` with the trigger's id, and again for the order when it fires and
   * rests.
   */
  submitConditional(condition: ConditionalRequest, time: EpochMs): void {
    const { order: request } = condition;
    const place = this.#placeOf(request.instrumentId, time);
    if (place === undefined) {
      this.#matcher.reject(request, time, unknownInstrument(request));
      return;
    }
    const { market, rules } = place;
    if (!market.isOpen) {
      this.#waiting.push({ request, condition });
      return;
    }
    const path = market.priceAt(time);
    const isFutures = place.instrument.kind === 'futures';
    const violation = rules.tradable
      ? findTriggerViolation(condition, { path, rules, isFutures })
      : NOT_TRADABLE;
    if (violation !== undefined) {
      this.#matcher.reject(request, time, violation);
      return;
    }
    this.#lastTrigger += 1;
    const trigger = new WaitingTrigger(condition, market, this.#lastTrigger);
    if (market.isUnderWay(time)) market.doubt.noteArrival(trigger.money());
    else market.doubt.noteLevel(trigger);
    this.#triggers.add(trigger);
    this.#options.onUpdate({
      kind: 'accepted',
      clientOrderId: request.clientOrderId,
      venueOrderId: trigger.triggerId as VenueOrderId,
      eventTime: time,
    });
  }

  /** A trigger fires: its order meets the path. `before`: on the path, whose candle may close then; `after`: at an open. */
  fire(
    trigger: WaitingTrigger,
    at: { readonly path: PathPrice; readonly time: EpochMs; readonly side: InstantSide },
  ): void {
    this.#triggers.delete(trigger);
    const { path, time, side } = at;
    const { order } = trigger.request;
    const place = present(this.#placeOf(order.instrumentId, time), 'where a trigger waits');
    this.#arrive(order, { place, path, time }, side);
    // Whether the path leaves behind what waits for volume now may depend on which extreme comes first.
    const sent = this.#matcher.book.find(order.clientOrderId);
    if (sent?.takes === true && place.market.isUnderWay(time))
      place.market.doubt.noteArrival(sent.money());
  }

  /** Where an instrument is traded; undefined for one that is not. */
  #placeOf(instrumentId: InstrumentId, time: EpochMs): TradingPlace | undefined {
    const rules = this.#options.rules.at(instrumentId, time);
    if (this.#place?.rules === rules && this.#place?.instrument.id === instrumentId)
      return this.#place;
    const market = this.#options.markets.get(instrumentId);
    if (market === undefined || rules === undefined) return undefined;
    const { instrument } = market.source;
    const account = this.#options.accounts.of(instrument);
    this.#place = { market, instrument, account, rules, found: { quantity: 0n } };
    return this.#place;
  }

  /** An order meets the path: the venue's rules, then the account, then the market. */
  #arrive(request: OrderRequest, at: Arrival, side: InstantSide): void {
    const violation = this.#violationOf(request, at);
    if (violation !== undefined) {
      this.#matcher.reject(request, at.time, violation);
      return;
    }
    this.#bringTo(at, side);
    if (request.type === 'market') this.#matcher.executeMarket(request, at);
    else this.#matcher.executeLimit(request, at);
  }

  #violationOf(request: OrderRequest, at: Arrival): OrderReason | undefined {
    const working = this.#matcher.book.countOf(request.instrumentId);
    const violation = findRuleViolation(request, at, working);
    const isTooSmall = violation !== undefined && isBelowMinimum(violation);
    return isTooSmall && this.#closesRest(request, at) ? undefined : violation;
  }

  #closesRest(request: OrderRequest, { place: { instrument } }: Arrival): boolean {
    const { futures } = this.#options.accounts;
    return instrument.kind === 'futures' && futures?.closesRest(request) === true;
  }

  /**
   * Brings marks and prices of collateral to the instant, on which what an order needs depends. `side` says whether a candle that opens then
   * is known to it.
   */
  #bringTo({ place, time }: Arrival, side: InstantSide): void {
    const { futures, margin } = this.#options;
    const { instrument } = place;
    futures?.passBoundary(time - 1);
    if (instrument.kind === 'futures') futures?.mark(time, side, instrument.id);
    margin?.passBoundary(time - 1);
    margin?.moveTo(time);
  }

  /** Why an order that arrived now would be rejected, or undefined; nothing is placed. While no candle is open the venue cannot say. */
  test(request: OrderRequest, time: EpochMs): OrderReason | undefined {
    const place = this.#placeOf(request.instrumentId, time);
    if (place === undefined) return unknownInstrument(request);
    const { market } = place;
    if (!market.isOpen) return undefined;
    const at = { place, path: market.priceAt(time), time };
    const violation = this.#violationOf(request, at);
    if (violation !== undefined) return violation;
    this.#bringTo(at, 'after');
    return this.#matcher.refusalOf(request, at);
  }

  /**
   * A cancel of an order or of a condition arrives. Of several orders with one id it takes the latest, as the venue does. `isCondition`: it takes a condition that
   * waits, and leaves the order alone that one has sent.
   */
  cancel(clientOrderId: ClientOrderId, time: EpochMs, isCondition = false): void {
    const waiting = this.#waiting.findLast(
      ({ request }) => request.clientOrderId === clientOrderId,
    );
    const order = isCondition ? undefined : this.#matcher.book.find(clientOrderId);
    const request = waiting?.request ?? order?.request ?? this.#cancelTrigger(clientOrderId, time);
    if (request === undefined) {
      this.#options.onUpdate({
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
      if (order.mayBeReached && order.market.isUnderWay(time))
        order.market.doubt.noteArrival(order.money());
      this.#matcher.remove(order);
    }
    this.#matcher.cancel(request, time, CANCELED_ON_REQUEST);
  }

  /** Takes a condition that waits for its level away, and returns the order that it would have sent. */
  #cancelTrigger(clientOrderId: ClientOrderId, time: EpochMs): OrderRequest | undefined {
    for (const trigger of this.#triggers) {
      const { order } = trigger.request;
      if (order.clientOrderId !== clientOrderId) continue;
      this.#triggers.delete(trigger);
      // Whether it would have fired first is for the hidden path to say.
      if (trigger.mayBeReached && trigger.market.isUnderWay(time))
        trigger.market.doubt.noteArrival(trigger.money());
      return order;
    }
    return undefined;
  }
}

const NOT_TRADABLE: OrderReason = reason('notTradable', 'the instrument is not tradable now');

function unknownInstrument({ instrumentId }: OrderRequest): OrderReason {
  return reason('badSymbol', `unknown instrument ${instrumentId}`);
}

/** What an order would trade where it meets the path, in quote. */
function moneyOfArrival(request: OrderRequest, market: InstrumentMarket, path: PathPrice): Fixed {
  if (request.unit === 'quote') return request.quantity;
  return moneyOf(market.source.instrument, request.quantity, path.numerator / path.denominator);
}
