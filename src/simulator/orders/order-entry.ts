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
} from '../../domain/index.js';
import type { VenueUpdate } from '../../venue/index.js';
import type { Accounts } from '../accounts/accounts.js';
import { moneyOf } from '../accounts/money.js';
import type { FuturesClearing } from '../futures/futures-clearing.js';
import type { InstrumentMarket } from '../instrument-market.js';
import type { MarginClearing } from '../margin/margin-clearing.js';
import type { PathPrice } from '../path/candle-path.js';
import type { InstantSide } from '../path/mark-feed.js';
import {
  findTriggerViolation,
  WaitingTrigger,
  type ConditionalRequest,
} from './conditional-orders.js';
import type { OrderMatcher } from './order-matcher.js';
import type { Arrival, TradingPlace } from './trading-place.js';
import { findRuleViolation, isBelowMinimum, reason } from './venue-rules.js';

/** A command that arrived while no candle was open: it waits for the next open. */
interface WaitingCommand {
  readonly request: OrderRequest;
  readonly condition: ConditionalRequest | undefined;
}

interface OrderEntryOptions {
  readonly markets: ReadonlyMap<InstrumentId, InstrumentMarket>;
  readonly rules: RuleBook;
  readonly matcher: OrderMatcher;
  readonly accounts: Accounts;
  readonly futures: FuturesClearing | undefined;
  readonly margin: MarginClearing | undefined;
  readonly onUpdate: (update: VenueUpdate) => void;
}

/** Receives commands. A command that breaks the venue's rules is rejected with the venue's code. All others meet the path (DESIGN R10, R14). */
export class OrderEntry {
  readonly #options: OrderEntryOptions;
  readonly #matcher: OrderMatcher;
  readonly #triggers = new Set<WaitingTrigger>();
  /** The place of the last trade, nearly always also of the next one. */
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

  /** Whether no command and no conditional order waits. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#triggers.size === 0;
  }

  /** Drops the commands that wait for a candle to open. */
  forgetWaiting(): void {
    this.#waiting = [];
  }

  /** Commands that waited for a candle to open arrive now; `onArrived` is called after each. If no candle has opened, they continue to wait. */
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

  /** A trigger fires and its order meets the path. `side` is `before` on the path, whose candle may close then, and `after` at an open. */
  fire(
    trigger: WaitingTrigger,
    at: { readonly path: PathPrice; readonly time: EpochMs; readonly side: InstantSide },
  ): void {
    this.#triggers.delete(trigger);
    const { path, time, side } = at;
    const { order } = trigger.request;
    const place = present(this.#placeOf(order.instrumentId, time), 'where a trigger waits');
    this.#arrive(order, { place, path, time }, side);
    // The order may now wait for volume. Whether the path moves away from it may depend on which extreme comes first.
    const sent = this.#matcher.book.find(order.clientOrderId);
    if (sent?.takes === true && place.market.isUnderWay(time))
      place.market.doubt.noteArrival(sent.money());
  }

  /** The place where an instrument is traded; undefined if it is not traded. */
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
    const isLimited = at.place.rules.maxWorkingOrders !== undefined;
    const working = isLimited ? this.#matcher.book.countOf(request.instrumentId) : 0;
    const violation = findRuleViolation(request, at, working);
    const isTooSmall = violation !== undefined && isBelowMinimum(violation);
    return isTooSmall && this.#closesRest(request, at) ? undefined : violation;
  }

  #closesRest(request: OrderRequest, { place: { instrument } }: Arrival): boolean {
    const { futures } = this.#options.accounts;
    return instrument.kind === 'futures' && futures?.closesRest(request) === true;
  }

  /**
   * Updates marks and collateral prices to the instant, because the needs of an order depend on them. `side` says whether a candle that opens then
   * counts.
   */
  #bringTo({ place, time }: Arrival, side: InstantSide): void {
    const { futures, margin } = this.#options;
    const { instrument } = place;
    futures?.passBoundary(time - 1);
    if (instrument.kind === 'futures') futures?.mark(time, side, instrument.id);
    margin?.passBoundary(time - 1);
    margin?.moveTo(time);
  }

  /**
   * Why an order would be rejected if it arrived now, or undefined. Places nothing. Also undefined while no candle is open: the venue cannot say
   * then.
   */
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
   * A cancel of an order or of a condition arrives. Of several orders with one id it cancels the latest, as the venue does. With `isCondition` it
   * cancels a condition that waits, not the order that a condition has sent.
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
      this.#matcher.cancelWaiting(request, time, CANCELED_ON_REQUEST);
      return;
    }
    if (order !== undefined) {
      // Whether the order would have filled first depends on the hidden path.
      if (order.mayBeReached && order.market.isUnderWay(time))
        order.market.doubt.noteArrival(order.money());
      this.#matcher.remove(order);
    }
    this.#matcher.cancel(request, time, CANCELED_ON_REQUEST);
  }

  /** Removes a condition that waits for its level, and returns the order that it would have sent. */
  #cancelTrigger(clientOrderId: ClientOrderId, time: EpochMs): OrderRequest | undefined {
    for (const trigger of this.#triggers) {
      const { order } = trigger.request;
      if (order.clientOrderId !== clientOrderId) continue;
      this.#triggers.delete(trigger);
      // Whether the condition would have fired first depends on the hidden path.
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

/** Value of an order at the price at which it meets the path, in quote. */
function moneyOfArrival(request: OrderRequest, market: InstrumentMarket, path: PathPrice): Fixed {
  if (request.unit === 'quote') return request.quantity;
  return moneyOf(market.source.instrument, request.quantity, path.numerator / path.denominator);
}
