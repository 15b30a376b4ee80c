import {
  Balance,
  divideFixed,
  floorToStep,
  multiplyFixed,
  parseFixed,
  parseVenueOrderId,
  splitInstrumentId,
  stepOfPrecision,
  type Fixed,
  type InstrumentId,
} from '../../../src/domain/index.js';
import type {
  ProfitRecord,
  VenueOrder,
  VenueOrderRequest,
  VenueTrade,
} from '../../../src/venue/index.js';
import type { VenueErrorCode } from '../../../src/venue/wire/index.js';

/** Bid of the only market, which never moves. */
export const BID = parseFixed('64999.9');
export const ASK = parseFixed('65000.1');
export const LAST = parseFixed('65000');
/** Base per contract. */
export const MULTIPLIER = parseFixed('0.0001');

const STEP = stepOfPrecision(5);
const MIN_MONEY = parseFixed('5');
const FEE_RATE = parseFixed('0.001');

export interface Refused {
  readonly code: VenueErrorCode;
  readonly message: string;
}

/** Orders, trades and money of one account at a venue with a fixed price. Takers fill completely and at once; other orders rest. */
export class VenueBook {
  readonly orders: VenueOrder[] = [];
  readonly trades: VenueTrade[] = [];
  readonly profits: ProfitRecord[] = [];
  /** Contracts held long. */
  held = 0n;
  #usdt = parseFixed('1000000');
  #btc = parseFixed('10');
  #orders = 3_221_406_049_627_539_350n;
  #trades = 6_137_967n;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  balances(): readonly Balance[] {
    const resting = this.orders.filter(
      ({ status, action }) => status === 'open' && action === undefined,
    );
    const lockedUsdt = sum(
      resting
        .filter(({ side }) => side === 'buy')
        .map(({ limitPrice = 0n, quantity }) => multiplyFixed(limitPrice, quantity)),
    );
    const lockedBtc = sum(
      resting.filter(({ side }) => side === 'sell').map(({ quantity }) => quantity),
    );
    return [
      new Balance('USDT', { free: this.#usdt - lockedUsdt, locked: lockedUsdt }),
      new Balance('BTC', { free: this.#btc - lockedBtc, locked: lockedBtc }),
    ];
  }

  find(id: string): VenueOrder | undefined {
    return this.orders.find(({ venueOrderId }) => venueOrderId === id);
  }

  working(instrumentId: InstrumentId): readonly VenueOrder[] {
    return this.orders.filter(
      (order) => order.instrumentId === instrumentId && order.status === 'open',
    );
  }

  /** The refusal of an order; undefined if the venue accepts it. */
  problemOf(order: VenueOrderRequest): Refused | undefined {
    if (splitInstrumentId(order.instrumentId).kind === 'futures') return undefined;
    const quantity = baseOf(order);
    const money = multiplyFixed(priceOf(order), quantity);
    if (floorToStep(quantity, STEP) !== quantity && order.unit === 'base')
      return { code: '-1111', message: 'precision' };
    if (money < MIN_MONEY) return { code: '-1136', message: 'too small' };
    const [usdt, btc] = this.balances();
    const isCovered =
      order.side === 'buy'
        ? money <= (usdt?.exact.free ?? 0n)
        : quantity <= (btc?.exact.free ?? 0n);
    return isCovered ? undefined : { code: '-2017', message: 'insufficient balance' };
  }

  place(order: VenueOrderRequest): VenueOrder | Refused {
    const problem = this.problemOf(order);
    if (problem !== undefined) return problem;
    this.#orders += 1n;
    const isLimit = order.type === 'limit';
    const timeInForce = isLimit ? order.timeInForce : undefined;
    const isMarketable =
      !isLimit || (order.side === 'buy' ? order.limitPrice >= ASK : order.limitPrice <= BID);
    const fills = isMarketable && timeInForce !== 'POST_ONLY';
    const rests = !isMarketable && (timeInForce === 'GTC' || timeInForce === 'POST_ONLY');
    const filledQuantity = fills ? baseOf(order) : 0n;
    const placed: VenueOrder = {
      instrumentId: order.instrumentId,
      venueOrderId: parseVenueOrderId(String(this.#orders)),
      clientOrderId: order.clientOrderId,
      side: order.side,
      action: order.action,
      type: order.type,
      timeInForce,
      status: fills ? 'filled' : rests ? 'open' : 'canceled',
      limitPrice: isLimit ? order.limitPrice : undefined,
      quantity: order.quantity,
      filledQuantity,
      averagePrice: fills ? takerPrice(order) : undefined,
      filledNotional: undefined,
      createdTime: this.#now(),
      marginMode: order.marginMode,
      leverage: undefined,
    };
    this.orders.push(placed);
    if (fills) this.#fill(placed, filledQuantity);
    return placed;
  }

  cancel(id: string): VenueOrder | Refused {
    const index = this.orders.findIndex(({ venueOrderId }) => venueOrderId === id);
    const order = this.orders[index];
    if (order === undefined) return { code: '-2013', message: 'no such order' };
    if (order.status !== 'open') return { code: '-1145', message: 'final' };
    const canceled = { ...order, status: 'canceled' } as const;
    this.orders[index] = canceled;
    return canceled;
  }

  #fill(order: VenueOrder, quantity: Fixed): void {
    const { instrumentId, side, venueOrderId } = order;
    const price = takerPrice(order);
    const isFutures = order.action !== undefined;
    const notional = isFutures
      ? multiplyFixed(multiplyFixed(quantity, MULTIPLIER), price)
      : multiplyFixed(quantity, price);
    const fee = multiplyFixed(notional, FEE_RATE);
    const external = parseVenueOrderId('3221406049627530001');
    this.#trades += 1n;
    this.trades.push({
      instrumentId,
      venueTradeId: String(this.#trades),
      venueOrderId,
      buyOrderId: side === 'buy' ? venueOrderId : external,
      sellOrderId: side === 'buy' ? external : venueOrderId,
      side,
      liquidity: 'taker',
      price,
      quantity,
      notional: isFutures ? notional : undefined,
      fee,
      feeAsset: isFutures ? undefined : 'USDT',
      time: this.#now(),
      buyUserId: '10001',
      sellUserId: '10002',
    });
    if (isFutures) this.#fillFutures(order, quantity, fee);
    else {
      this.#usdt += side === 'buy' ? -notional : notional;
      this.#btc += side === 'buy' ? quantity : -quantity;
    }
  }

  #fillFutures({ action, marginMode }: VenueOrder, quantity: Fixed, fee: Fixed): void {
    this.held += action === 'open' ? quantity : -quantity;
    if (action === 'open') return;
    const closeProfit = multiplyFixed(multiplyFixed(quantity, MULTIPLIER), BID - ASK);
    this.profits.push({
      id: String(this.profits.length + 1),
      contractId: '1',
      side: 'buy',
      marginMode,
      quantity,
      leverage: parseFixed('5'),
      openPrice: ASK,
      closePrice: BID,
      closeProfit,
      tradeFee: -fee,
      fundingFee: 0n,
      totalProfit: closeProfit - fee,
      createdTime: this.#now(),
      updatedTime: this.#now(),
    });
  }
}

function takerPrice({ side }: { readonly side: 'buy' | 'sell' }): Fixed {
  return side === 'buy' ? ASK : BID;
}

function priceOf(order: VenueOrderRequest): Fixed {
  return order.type === 'limit' ? order.limitPrice : takerPrice(order);
}

/** Base or contracts of an order, whose quantity may be an amount of money. */
function baseOf(order: VenueOrderRequest): Fixed {
  if (order.unit !== 'quote') return order.quantity;
  return floorToStep(divideFixed(order.quantity, takerPrice(order)), STEP);
}

function sum(amounts: readonly Fixed[]): Fixed {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
