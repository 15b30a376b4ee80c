import {
  present,
  takerPrice,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type LimitOrderRequest,
  type Liquidity,
  type MarketOrderRequest,
  type OrderReason,
  type OrderRequest,
  type PositionAction,
  type RuleBook,
  type Side,
  type VenueOrderId,
} from '../../domain/index.js';
import type { VenueUpdate } from '../../venue/index.js';
import type { Charge, Execution, MarketDemand } from '../accounts/trading-account.js';
import type { InstrumentMarket } from '../instrument-market.js';
import type { FeeModel } from '../models/fee.js';
import type { SlippageModel } from '../models/slippage.js';
import { isMarketable, neverWorse, within } from './matching.js';
import { RestingBook } from './resting-book.js';
import { RestingOrder } from './resting-order.js';
import type { Arrival, TradingPlace } from './trading-place.js';
import { reason } from './venue-rules.js';

/** Terms on which orders fill. */
export interface MatchingTerms {
  readonly fees: FeeModel;
  readonly slippage: SlippageModel;
  readonly rules: RuleBook;
  /** Half the spread as a ratio of the price. */
  readonly halfSpread: Fixed;
  /** Whether resting orders fill when the path touches their limit without going a tick beyond. */
  readonly fillOnTouch: boolean;
  /** Is called with each update, in the order in which things happen. */
  readonly onUpdate: (update: VenueUpdate) => void;
}

/** Where a fill is booked. */
type BookingPlace = Pick<TradingPlace, 'market' | 'account'>;

/** Ids look like the venue's: 19 digits, above 2^53. */
const FIRST_VENUE_ORDER_ID = 1_000_000_000_000_000_000n;

const NOT_AT_ONCE: OrderReason = {
  code: 'not-at-once',
  text: 'the venue canceled what could not be filled at once',
};

const WOULD_TAKE: OrderReason = {
  code: 'would-take',
  text: 'the venue canceled a POST_ONLY order that would have crossed the book',
};

/**
 * Fills orders against the path of a candle, lets the account book each fill, and keeps resting orders (DESIGN R4-R8). It does not depend on the
 * product.
 */
export class OrderMatcher {
  readonly #terms: MatchingTerms;
  readonly book = new RestingBook();
  #sequence = 0;

  constructor(terms: MatchingTerms) {
    this.#terms = terms;
  }

  /** A MARKET order fills at once as far as the volume allows; the rest is canceled. */
  executeMarket(request: MarketOrderRequest, at: Arrival): void {
    const { place, time } = at;
    const demand = this.#demandOf(request, at);
    const { instrument, price, quantity, liquidity } = demand;
    const refusal = place.account.refuseMarket(demand);
    if (refusal !== undefined) {
      this.reject(request, time, refusal);
      return;
    }
    const filled = within(place.market.pool(), quantity);
    if (filled === quantity) {
      this.#book(demand, place, true);
      return;
    }
    if (filled > 0n)
      this.#book({ request, instrument, price, quantity: filled, liquidity, time }, place, false);
    this.cancel(request, time, NOT_AT_ONCE);
  }

  /** The fill of a MARKET order if the volume did not limit it. */
  #demandOf(request: MarketOrderRequest, at: Arrival): MarketDemand {
    const { place, path, time } = at;
    const { market, instrument, account, rules } = place;
    const { side, quantity: said } = request;
    const liquidity = 'taker';
    if (request.unit !== 'quote') {
      const price = this.#takerPrice(side, within(market.pool(), said), at);
      return { request, instrument, price, quantity: said, liquidity, time };
    }
    const { step } = rules;
    const wanted = account.quantityFor(said, instrument, { price: path, step });
    const price = this.#takerPrice(side, within(market.pool(), wanted), at);
    const taken = { numerator: price, denominator: 1n };
    const quantity = account.quantityFor(said, instrument, { price: taken, step });
    return { request, instrument, price, quantity, liquidity, time };
  }

  /** Why the account would not cover an order that arrived now, or undefined. Changes nothing. */
  refusalOf(request: OrderRequest, at: Arrival): OrderReason | undefined {
    const { instrument, account } = at.place;
    if (request.type === 'market') return account.refuseMarket(this.#demandOf(request, at));
    return account.refuseLimit(
      { request, instrument, remaining: request.quantity, held: 0n, needed: undefined },
      at.time,
    );
  }

  /**
   * Executes a LIMIT order. A marketable order takes the available volume, then rests. An order that rests while the path is already at or beyond its
   * level fills at once as a maker.
   */
  executeLimit(request: LimitOrderRequest, at: Arrival): void {
    const { place, path, time } = at;
    const { market, account } = place;
    const { side, limitPrice, quantity, timeInForce } = request;
    this.#sequence += 1;
    const takes = isMarketable(side, limitPrice, path, this.#terms.halfSpread);
    const available = takes ? within(market.pool(), quantity) : 0n;
    if (available === quantity && timeInForce !== 'POST_ONLY') {
      this.#fillWhole(request, at);
      return;
    }
    const order = this.#createResting(request, at, takes);
    const refusal = account.refuseLimit(order, time);
    if (refusal !== undefined) {
      this.reject(request, time, refusal);
      return;
    }
    const isRefused = timeInForce === 'POST_ONLY' && takes;
    if (isRefused || timeInForce === 'FOK') {
      this.cancel(request, time, isRefused ? WOULD_TAKE : NOT_AT_ONCE);
      return;
    }
    account.hold(order, time);
    const rests = timeInForce !== 'IOC';
    if (rests) this.#accept(order, time);
    if (available > 0n) {
      const price = neverWorse(side, this.#takerPrice(side, available, at), limitPrice);
      this.#fill(order, { price, quantity: available, liquidity: 'taker', time });
    }
    if (!rests && order.remaining > 0n) {
      this.remove(order);
      this.cancel(request, time, NOT_AT_ONCE);
    } else if (rests && !takes && order.isReachedAt(path)) {
      this.fillResting(order, time);
    }
  }

  /** A LIMIT order that fills completely at once never rests. So nothing is held for it and released again. */
  #fillWhole(request: LimitOrderRequest, at: Arrival): void {
    const { place, time } = at;
    const { instrument, account } = place;
    const { side, limitPrice, quantity } = request;
    const refusal = account.refuseLimit(
      { request, instrument, remaining: quantity, held: 0n, needed: undefined },
      time,
    );
    if (refusal !== undefined) {
      this.reject(request, time, refusal);
      return;
    }
    const price = neverWorse(side, this.#takerPrice(side, quantity, at), limitPrice);
    this.#book({ request, instrument, price, quantity, liquidity: 'taker', time }, place, true);
  }

  #accept(order: RestingOrder, eventTime: EpochMs): void {
    const { request, market, sequence } = order;
    this.#reportAccepted(request, sequence, eventTime);
    this.book.add(order);
    // An order that takes cannot fill on the path of this candle, because the volume is used up.
    if (!order.takes) market.doubt.noteLevel(order);
  }

  #createResting(request: LimitOrderRequest, at: Arrival, takes: boolean): RestingOrder {
    const { market, account, rules } = at.place;
    return new RestingOrder({
      request,
      market,
      account,
      sequence: this.#sequence,
      since: at.time,
      takes,
      halfSpread: this.#terms.halfSpread,
      beyond: this.#terms.fillOnTouch ? 0n : rules.tick,
    });
  }

  /** Call it before the open candle of a market closes. An order that takes becomes a maker if the path has moved away from it (DESIGN R5). */
  leaveBehind(market: InstrumentMarket): void {
    if (!this.book.takes) return;
    for (const order of this.book.all) {
      if (!order.takes || order.market !== market) continue;
      const since = Math.max(order.since, market.openTime);
      for (const price of market.cornersFrom(since)) order.meet(price);
    }
  }

  /**
   * Fills a resting order: a maker always at its limit, an order that takes at the price of a taker (DESIGN R5). Does nothing if no volume is left,
   * or the order has ended at this instant.
   */
  fillResting(order: RestingOrder, time: EpochMs): void {
    if (!this.book.has(order)) return;
    const quantity = within(order.market.pool(), order.remaining);
    if (quantity === 0n) return;
    const refusal = order.account.refuseFill(order, quantity, time);
    if (refusal !== undefined) {
      this.remove(order);
      this.cancel(order.request, time, refusal);
      return;
    }
    const { takes, request } = order;
    const price = takes ? this.#takenAt(order, quantity, time) : request.limitPrice;
    this.#fill(order, { price, quantity, liquidity: takes ? 'taker' : 'maker', time });
  }

  /** The price of a fill of a working order that takes. */
  #takenAt({ request, market }: RestingOrder, quantity: Fixed, time: EpochMs): Fixed {
    const { instrumentId, side, limitPrice } = request;
    const { tick } = present(this.#terms.rules.at(instrumentId, time), 'rules of what is traded');
    const cost = this.takerCost(market, quantity);
    return neverWorse(side, takerPrice(side, market.priceAt(time), { cost, tick }), limitPrice);
  }

  #fill(
    order: RestingOrder,
    execution: {
      readonly price: Fixed;
      readonly quantity: Fixed;
      readonly liquidity: Liquidity;
      readonly time: EpochMs;
    },
  ): void {
    const { request, account, instrument } = order;
    account.release(order);
    order.remaining -= execution.quantity;
    const isFilled = order.remaining === 0n;
    // Written out, because copying an object that holds bigints is slow.
    const { price, quantity, liquidity, time } = execution;
    this.#book({ request, instrument, price, quantity, liquidity, time }, order, isFilled);
    if (isFilled) this.book.delete(order);
    else account.hold(order, time);
  }

  /** Cancels every working order of an instrument. */
  cancelAll(instrumentId: InstrumentId, time: EpochMs, why: OrderReason): void {
    for (const order of this.book.of(instrumentId)) {
      this.remove(order);
      this.cancel(order.request, time, why);
    }
  }

  /** Removes an order from the book and releases the amount that it held. */
  remove(order: RestingOrder): void {
    order.account.release(order);
    this.book.delete(order);
  }

  /** Books one fill: takes it from the candle's volume, posts it to the account, and reports it. */
  #book(execution: Execution, { market, account }: BookingPlace, isFilled: boolean): void {
    market.take(execution.quantity);
    const charge = account.post(execution);
    if (charge.closing === undefined)
      this.#report(execution, execution.request.action, charge, isFilled);
    else this.#reportClosing(execution, charge, charge.closing, isFilled);
  }

  /** Reports a fill that closes the opposite position, and opens with the rest. */
  #reportClosing(
    execution: Execution,
    charge: Charge,
    closing: Required<Charge>['closing'],
    isFilled: boolean,
  ): void {
    const { request, instrument, price, quantity, liquidity, time } = execution;
    const { feeAsset } = charge;
    const rest = quantity - closing.quantity;
    const closes = { request, instrument, price, quantity: closing.quantity, liquidity, time };
    this.#report(closes, 'close', { fee: closing.fee, feeAsset }, isFilled && rest === 0n);
    if (rest !== 0n) {
      const opens = { request, instrument, price, quantity: rest, liquidity, time };
      this.#report(opens, 'open', charge, isFilled);
    }
    this.#trimCloses(request, closing.left, time);
  }

  #report(
    { request, price, quantity, liquidity, time }: Execution,
    action: PositionAction,
    { fee, feeAsset }: Charge,
    isFilled: boolean,
  ): void {
    const { side, clientOrderId, instrumentId } = request;
    this.#terms.onUpdate({
      kind: 'fill',
      clientOrderId,
      fill: {
        clientOrderId,
        instrumentId,
        side,
        action,
        price,
        quantity,
        fee,
        feeAsset,
        liquidity,
        eventTime: time,
      },
      isFilled,
      eventTime: time,
    });
  }

  /** Cancels the latest closing orders, if the position became smaller than what its working orders would close. */
  #trimCloses({ instrumentId, side }: OrderRequest, left: Fixed, time: EpochMs): void {
    let closable = left;
    for (const order of this.book.of(instrumentId)) {
      if (order.request.action !== 'close' || order.request.side !== side) continue;
      closable -= order.remaining;
      if (closable >= 0n) continue;
      this.remove(order);
      this.cancel(order.request, time, reason('closeExceedsPosition', 'nothing is left to close'));
    }
  }

  #takerPrice(side: Side, quantity: Fixed, { place, path }: Arrival): Fixed {
    const { market, rules } = place;
    return takerPrice(side, path, { cost: this.takerCost(market, quantity), tick: rules.tick });
  }

  /** Half spread and slippage of a taker, as a ratio of the price. */
  takerCost(market: InstrumentMarket, quantity: Fixed): Fixed {
    const { halfSpread, slippage } = this.#terms;
    const slipped = slippage.ratio(quantity, market);
    // Most runs have no spread, and adding zero would take as long as any addition.
    return halfSpread === 0n ? slipped : halfSpread + slipped;
  }

  // Answers.

  /** Cancels an order that waits for a candle. Like any order that the venue has, it is accepted before it ends. */
  cancelWaiting(request: OrderRequest, eventTime: EpochMs, why: OrderReason): void {
    this.#sequence += 1;
    this.#reportAccepted(request, this.#sequence, eventTime);
    this.cancel(request, eventTime, why);
  }

  #reportAccepted({ clientOrderId }: OrderRequest, sequence: number, eventTime: EpochMs): void {
    const venueOrderId = String(FIRST_VENUE_ORDER_ID + BigInt(sequence)) as VenueOrderId;
    this.#terms.onUpdate({ kind: 'accepted', clientOrderId, venueOrderId, eventTime });
  }

  cancel({ clientOrderId }: OrderRequest, eventTime: EpochMs, why: OrderReason): void {
    this.#end(clientOrderId, 'canceled', why, eventTime);
  }

  reject({ clientOrderId }: OrderRequest, eventTime: EpochMs, why: OrderReason): void {
    this.#end(clientOrderId, 'rejected', why, eventTime);
  }

  #end(
    clientOrderId: ClientOrderId,
    status: 'canceled' | 'rejected',
    why: OrderReason,
    eventTime: EpochMs,
  ): void {
    this.#terms.onUpdate({ kind: 'ended', clientOrderId, status, reason: why, eventTime });
  }
}
