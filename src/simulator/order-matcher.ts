import {
  minFixed,
  multiplyFixed,
  outlayOfBuy,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type LimitOrderRequest,
  type Liquidity,
  type MarketOrderRequest,
  type OrderReason,
  type OrderRequest,
  type ResolvedRules,
  type Side,
  type VenueOrderId,
} from '../domain/index.js';
import type { VenueUpdate } from '../venue/index.js';
import type { PathPrice } from './candle-path.js';
import type { MarketTape } from './market-tape.js';
import { isMarketable, neverWorse, quantityFor, takerPrice, within } from './matching.js';
import type { FeeModel } from './models/fee.js';
import type { SlippageModel } from './models/slippage.js';
import { RestingOrder } from './resting-order.js';
import type { SpotLedger } from './spot-ledger.js';
import { reason } from './venue-rules.js';

/** On what terms orders are filled. */
export interface MatchingTerms {
  readonly fees: FeeModel;
  readonly slippage: SlippageModel;
  /** Half the spread as a ratio of the price. */
  readonly halfSpread: Fixed;
  /** Whether resting orders fill when the path touches their limit without going a tick beyond. */
  readonly fillOnTouch: boolean;
  /** Takes each update in the order in which things happen. */
  readonly onUpdate: (update: VenueUpdate) => void;
}

/** What an order meets when it arrives. */
export interface Arrival {
  readonly tape: MarketTape;
  readonly rules: ResolvedRules;
  readonly path: PathPrice;
  readonly time: EpochMs;
}

/** Ids look as the venue's do: 19 digits, above 2^53. */
const FIRST_VENUE_ORDER_ID = 1_000_000_000_000_000_000n;

const NOT_COVERED = 'the free balance does not cover the order';
const NOT_AT_ONCE: OrderReason = {
  code: '0',
  text: 'the venue canceled what could not be filled at once',
};

const NONE: readonly RestingOrder[] = [];

/** Fills orders against the path of a candle, books each fill, and keeps what rests (DESIGN R4-R8). */
export class OrderMatcher {
  readonly #terms: MatchingTerms;
  readonly #ledger: SpotLedger;
  /** Oldest first. Client order ids need not be unique at this venue. */
  readonly #resting = new Set<RestingOrder>();
  #sequence = 0;

  constructor(terms: MatchingTerms, ledger: SpotLedger) {
    this.#terms = terms;
    this.#ledger = ledger;
  }

  get resting(): ReadonlySet<RestingOrder> {
    return this.#resting;
  }

  /** Orders of one instrument, oldest first. */
  restingOf(instrumentId: InstrumentId): readonly RestingOrder[] {
    if (this.#resting.size === 0) return NONE;
    return [...this.#resting].filter(({ request }) => request.instrumentId === instrumentId);
  }

  /** The latest order with this id. */
  find(clientOrderId: ClientOrderId): RestingOrder | undefined {
    return [...this.#resting].findLast(({ request }) => request.clientOrderId === clientOrderId);
  }

  /** A MARKET order: a buy spends a quote amount, a sell gives a base quantity; what the volume does not allow is canceled. */
  executeMarket(request: MarketOrderRequest, at: Arrival): void {
    const { tape, rules, path, time } = at;
    const { side } = request;
    const isBuy = side === 'buy';
    const { base, quote } = tape.source.instrument;
    const wanted = isBuy ? quantityFor(request.quantity, path, rules.step) : request.quantity;
    const price = this.#takerPrice(side, within(tape.pool(), wanted), at);
    const quantity = isBuy
      ? quantityFor(request.quantity, { numerator: price, denominator: 1n }, rules.step)
      : request.quantity;
    const needed = isBuy ? outlayOfBuy(request.quantity, this.#terms.fees.rates) : quantity;
    if (this.#ledger.free(isBuy ? quote : base) < needed) {
      this.reject(request, time, reason('insufficientBalance', NOT_COVERED));
      return;
    }
    if (quantity === 0n) {
      this.reject(
        request,
        time,
        reason('belowMinimumQuantity', 'the amount buys less than one step'),
      );
      return;
    }
    const filled = within(tape.pool(), quantity);
    if (filled > 0n) {
      const isFilled = filled === quantity;
      this.#book(request, { tape, price, quantity: filled, liquidity: 'taker', time, isFilled });
    }
    if (filled < quantity) this.cancel(request, time, NOT_AT_ONCE);
  }

  /**
   * A LIMIT order: takes what there is where it is marketable, then rests. One that rests where the path already is at or beyond its level
   * fills at once as a maker.
   */
  executeLimit(request: LimitOrderRequest, at: Arrival): void {
    const { tape, path, time } = at;
    const { side, limitPrice, quantity, timeInForce } = request;
    const order = this.#createResting(request, at);
    const needed = this.#lockAmount(request, quantity);
    if (this.#ledger.free(order.lockedAsset) < needed) {
      this.reject(request, time, reason('insufficientBalance', NOT_COVERED));
      return;
    }
    const takes = isMarketable(side, limitPrice, path, this.#terms.halfSpread);
    const available = takes ? within(tape.pool(), quantity) : 0n;
    if ((timeInForce === 'POST_ONLY' && takes) || (timeInForce === 'FOK' && available < quantity)) {
      this.cancel(request, time, NOT_AT_ONCE);
      return;
    }
    this.#lock(order, needed);
    const rests = available < quantity && timeInForce !== 'IOC';
    if (rests) this.#accept(order, time);
    if (available > 0n) {
      const price = neverWorse(side, this.#takerPrice(side, available, at), limitPrice);
      this.#fill(order, { price, quantity: available, liquidity: 'taker', time });
    }
    if (!rests && order.remaining > 0n) {
      this.remove(order);
      this.cancel(request, time, NOT_AT_ONCE);
    } else if (rests && order.isReachedAt(path)) {
      this.fillResting(order, time);
    }
  }

  #accept(order: RestingOrder, eventTime: EpochMs): void {
    const { request, tape, sequence } = order;
    const venueOrderId = String(FIRST_VENUE_ORDER_ID + BigInt(sequence)) as VenueOrderId;
    const { clientOrderId } = request;
    this.#terms.onUpdate({ kind: 'accepted', clientOrderId, venueOrderId, eventTime });
    this.#resting.add(order);
    tape.doubt.noteLevel(order.level);
  }

  #createResting(request: LimitOrderRequest, { tape, rules }: Arrival): RestingOrder {
    this.#sequence += 1;
    return new RestingOrder({
      request,
      tape,
      sequence: this.#sequence,
      beyond: this.#terms.fillOnTouch ? 0n : rules.tick,
    });
  }

  /** A maker fill: at the limit, always (DESIGN R5); nothing when no volume is left. */
  fillResting(order: RestingOrder, time: EpochMs): void {
    const quantity = within(order.tape.pool(), order.remaining);
    if (quantity === 0n) return;
    this.#fill(order, { price: order.request.limitPrice, quantity, liquidity: 'maker', time });
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
    const { request, tape } = order;
    this.#lock(order, 0n);
    order.remaining -= execution.quantity;
    const isFilled = order.remaining === 0n;
    // Written out: copying an object that holds bigints is slow.
    const { price, quantity, liquidity, time } = execution;
    this.#book(request, { tape, price, quantity, liquidity, time, isFilled });
    if (isFilled) this.#resting.delete(order);
    else
      this.#lock(
        order,
        // A fee rounded up may have taken 10^-18 of what was held for the rest.
        minFixed(this.#lockAmount(request, order.remaining), this.#ledger.free(order.lockedAsset)),
      );
  }

  /** Takes an order out of the book and frees what it held. */
  remove(order: RestingOrder): void {
    this.#lock(order, 0n);
    this.#resting.delete(order);
  }

  /** Books one fill: takes it from the candle's volume, posts it, and reports it. */
  #book(
    request: OrderRequest,
    execution: {
      readonly tape: MarketTape;
      readonly price: Fixed;
      readonly quantity: Fixed;
      readonly liquidity: Liquidity;
      readonly time: EpochMs;
      readonly isFilled: boolean;
    },
  ): void {
    const { tape, price, quantity, liquidity, time, isFilled } = execution;
    const { instrument } = tape.source;
    const { side, action, clientOrderId, instrumentId } = request;
    const { asset, amount } = this.#terms.fees.fee({
      instrument,
      side,
      liquidity,
      price,
      quantity,
    });
    const value = multiplyFixed(price, quantity);
    tape.take(quantity);
    this.#ledger.post(instrument.base, side === 'buy' ? quantity : -quantity);
    this.#ledger.post(instrument.quote, side === 'buy' ? -value : value);
    // Fees of parts, each rounded, may ask 10^-18 more than was held for the whole: the last one takes what is there.
    const fee = minFixed(amount, this.#ledger.free(asset));
    if (fee !== 0n) this.#ledger.post(asset, -fee);
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
        feeAsset: asset,
        liquidity,
        eventTime: time,
      },
      isFilled,
      eventTime: time,
    });
  }

  #takerPrice(side: Side, quantity: Fixed, { tape, rules, path }: Arrival): Fixed {
    return takerPrice(side, path, { cost: this.takerCost(tape, quantity), tick: rules.tick });
  }

  /** Half spread and slippage of a taker, as a ratio of the price. */
  takerCost(tape: MarketTape, quantity: Fixed): Fixed {
    const { halfSpread, slippage } = this.#terms;
    return halfSpread + slippage.ratio({ quantity, candleVolume: tape.volume() });
  }

  // Balances.

  #lockAmount({ side, limitPrice }: LimitOrderRequest, quantity: Fixed): Fixed {
    return side === 'buy'
      ? outlayOfBuy(multiplyFixed(limitPrice, quantity), this.#terms.fees.rates)
      : quantity;
  }

  #lock(order: RestingOrder, amount: Fixed): void {
    this.#ledger.lock(order.lockedAsset, amount - order.locked);
    order.locked = amount;
  }

  // Answers.

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
