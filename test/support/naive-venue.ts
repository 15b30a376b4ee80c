import {
  decimalFromFixed,
  Decimal,
  MINUTE_MS,
  type FeeRates,
  type LimitOrderRequest,
  type OrderRequest,
} from '../../src/domain/index.js';
import type { ScriptStep, VenueCandle } from './spot-venue.js';

/** One BTCUSDT minute after another, told millisecond by millisecond, all money in plain decimal.js: slow, short and obvious. */
export interface NaiveTerms {
  readonly candles: readonly VenueCandle[];
  readonly isHighFirst: (candle: VenueCandle) => boolean;
  readonly usdt: string;
  readonly btc: string;
  readonly fees: FeeRates;
  readonly halfSpread: string;
  readonly slippage: string;
  readonly participation: string | undefined;
  readonly fillOnTouch: boolean;
  readonly minMoney: string;
}

/** A third of a minute: at every millisecond the path is a whole number of ticks ÷ THIRD. */
export const THIRD = MINUTE_MS / 3;

/** DESIGN R3 in other words: the extreme nearer the open first; on a tie, low first if close ≥ open. */
export function isHighNearer({ path: [open, high, low, close] }: VenueCandle): boolean {
  const [up, down] = [ticks(high) - ticks(open), ticks(open) - ticks(low)];
  return up === down ? close < open : up < down;
}

/** Where the path of a minute is so many ms after its open, in ticks × THIRD. */
export function pathTicks(
  [open, high, low, close]: VenueCandle['path'],
  isHighFirst: boolean,
  ms: number,
): number {
  const corners = (isHighFirst ? [open, high, low, close] : [open, low, high, close]).map(ticks);
  const piece = Math.min(2, Math.floor(ms / THIRD));
  const from = corners[piece] ?? 0;
  return from * THIRD + ((corners[piece + 1] ?? 0) - from) * (ms - piece * THIRD);
}

const TICK = new Decimal('0.01');
const STEP = new Decimal('0.001');
const ticks = (price: number): number => Math.round(price * 100);
const floor = (value: Decimal, step: Decimal): Decimal => value.div(step).floor().times(step);
const ceil = (value: Decimal, step: Decimal): Decimal => value.div(step).ceil().times(step);
const rounded = (value: Decimal): Decimal => value.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN);

interface Working {
  readonly request: LimitOrderRequest;
  /** Where it fills, as the path is counted. */
  readonly level: number;
  readonly age: number;
  rest: Decimal;
  locked: Decimal;
}

export class NaiveVenue {
  readonly lines: string[] = [];
  free: { USDT: Decimal; BTC: Decimal };
  working: Working[] = [];
  #waiting: OrderRequest[] = [];
  #candle:
    | {
        readonly path: VenueCandle['path'];
        readonly isHighFirst: boolean;
        readonly openMs: number;
      }
    | undefined;
  #pool: Decimal | undefined;
  readonly #terms: NaiveTerms;

  constructor(terms: NaiveTerms) {
    this.#terms = terms;
    this.free = { USDT: new Decimal(terms.usdt), BTC: new Decimal(terms.btc) };
  }

  play(script: readonly ScriptStep[], until: number): void {
    const rows = [...this.#terms.candles];
    const steps = [...script];
    let minute = -1;
    const opens = rows.map((row) => (minute = row.minute ?? minute + 1) * MINUTE_MS);
    // While nothing works, nothing can happen before the next open or command.
    const next = (ms: number): number =>
      this.working.length > 0
        ? ms + 1
        : Math.max(ms + 1, Math.min(opens[0] ?? Infinity, steps[0]?.at ?? Infinity));
    for (let ms = 0; ms <= until; ms = next(ms)) {
      this.#fillReached(ms);
      if (this.#candle !== undefined && ms >= this.#candle.openMs + MINUTE_MS)
        this.#candle = undefined;
      const row = opens[0] === ms ? rows.shift() : undefined;
      if (row !== undefined) {
        opens.shift();
        this.#open(row, ms);
        this.#fillReached(ms);
      }
      const waiting = this.#candle === undefined ? [] : this.#waiting.splice(0);
      for (const request of waiting) this.#arrive(request, ms);
      for (let step = steps[0]; step?.at === ms; step = steps[0]) {
        steps.shift();
        if ('submit' in step) this.#arrive(step.submit, ms);
        else if ('cancel' in step) this.#cancel(step.cancel, ms);
      }
    }
  }

  #open(row: VenueCandle, openMs: number): void {
    this.#candle = { path: row.path, isHighFirst: this.#terms.isHighFirst(row), openMs };
    const { participation } = this.#terms;
    this.#pool =
      participation === undefined
        ? undefined
        : floor(new Decimal(participation).times(String(row.volume ?? 1_000)), STEP);
  }

  #path(ms: number): number | undefined {
    if (this.#candle === undefined) return undefined;
    const { path, isHighFirst, openMs } = this.#candle;
    return pathTicks(path, isHighFirst, ms - openMs);
  }

  #fillReached(ms: number): void {
    const path = this.working.length === 0 ? undefined : this.#path(ms);
    if (path === undefined) return;
    const reached = this.working.filter(({ request, level }) =>
      request.side === 'buy' ? path <= level : path >= level,
    );
    if (reached.length === 0) return;
    const rank = ({ request: { side, limitPrice }, age }: Working): readonly number[] =>
      side === 'sell' ? [0, Number(limitPrice), age] : [1, -Number(limitPrice), age];
    reached.sort((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      const place = left.findIndex((value, index) => value !== right[index]);
      return place < 0 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
    });
    for (const order of reached) {
      const quantity = Decimal.min(order.rest, this.#pool ?? order.rest);
      if (quantity.gt(0))
        this.#fillWorking(order, quantity, decimalFromFixed(order.request.limitPrice), 'maker', ms);
    }
  }

  #arrive(request: OrderRequest, ms: number): void {
    const path = this.#path(ms);
    if (path === undefined) this.#waiting.push(request);
    else if (request.type === 'market') this.#market(request, TICK.times(path).div(THIRD), ms);
    else this.#limit(request, TICK.times(path).div(THIRD), ms);
    this.#fillReached(ms);
  }

  #taker(side: 'buy' | 'sell', path: Decimal): Decimal {
    const cost = new Decimal(this.#terms.halfSpread).plus(this.#terms.slippage);
    return side === 'buy'
      ? ceil(path.times(cost.plus(1)), TICK)
      : Decimal.max(TICK, floor(path.times(new Decimal(1).minus(cost)), TICK));
  }

  #market(request: OrderRequest, path: Decimal, ms: number): void {
    const price = this.#taker(request.side, path);
    const sent = decimalFromFixed(request.quantity);
    const isBuy = request.side === 'buy';
    const last = path.div(TICK).toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN).times(TICK);
    if ((isBuy ? sent : sent.times(last)).lt(this.#terms.minMoney))
      this.#say(ms, request, 'rejected -1160');
    else if (isBuy ? this.free.USDT.lt(this.#outlay(sent)) : this.free.BTC.lt(sent))
      this.#say(ms, request, 'rejected -2017');
    else {
      const wanted = isBuy ? floor(sent.div(price), STEP) : sent;
      if (wanted.eq(0)) this.#say(ms, request, 'rejected -1136');
      else {
        const quantity = Decimal.min(wanted, this.#pool ?? wanted);
        if (quantity.gt(0)) this.#book(request, quantity, price, 'taker', ms);
        if (quantity.lt(wanted)) this.#say(ms, request, 'canceled 0');
      }
    }
  }

  #limit(request: LimitOrderRequest, path: Decimal, ms: number): void {
    const limit = decimalFromFixed(request.limitPrice);
    const quantity = decimalFromFixed(request.quantity);
    const isBuy = request.side === 'buy';
    const half = new Decimal(this.#terms.halfSpread);
    const needed = isBuy ? this.#outlay(limit.times(quantity)) : quantity;
    const crosses = isBuy
      ? limit.gte(path.times(half.plus(1)))
      : limit.lte(path.times(new Decimal(1).minus(half)));
    const taken = crosses ? Decimal.min(quantity, this.#pool ?? quantity) : new Decimal(0);
    const isShort = taken.lt(quantity);
    const { timeInForce } = request;
    if (limit.times(quantity).lt(this.#terms.minMoney)) this.#say(ms, request, 'rejected -1160');
    else if (this.free[isBuy ? 'USDT' : 'BTC'].lt(needed)) this.#say(ms, request, 'rejected -2017');
    else if ((timeInForce === 'POST_ONLY' && crosses) || (timeInForce === 'FOK' && isShort))
      this.#say(ms, request, 'canceled 0');
    else {
      const beyond = this.#terms.fillOnTouch ? 0 : isBuy ? -1 : 1;
      const level = (ticks(limit.toNumber()) + beyond) * THIRD;
      const locked = new Decimal(0);
      const order: Working = { request, level, age: ms, rest: quantity, locked };
      const rests = isShort && timeInForce !== 'IOC';
      this.#lock(order, needed);
      if (rests) this.#say(ms, request, 'accepted');
      if (rests) this.working.push(order);
      const taker = this.#taker(request.side, path);
      const price = isBuy ? Decimal.min(taker, limit) : Decimal.max(taker, limit);
      if (taken.gt(0)) this.#fillWorking(order, taken, price, 'taker', ms);
      if (isShort && !rests) this.#lock(order, new Decimal(0));
      if (isShort && !rests) this.#say(ms, request, 'canceled 0');
    }
  }

  #cancel(id: string, ms: number): void {
    const waiting = this.#waiting.findIndex(({ clientOrderId }) => clientOrderId === id);
    const order = this.working.find(({ request }) => request.clientOrderId === id);
    const [request] = waiting >= 0 ? this.#waiting.splice(waiting, 1) : [order?.request];
    if (order !== undefined) {
      this.#lock(order, new Decimal(0));
      this.working = this.working.filter((other) => other !== order);
    }
    if (request === undefined) this.lines.push(`+${String(ms)} cancel-rejected ${id} -2013`);
    else this.#say(ms, request, 'canceled 0');
  }

  #fillWorking(
    order: Working,
    quantity: Decimal,
    price: Decimal,
    liquidity: 'maker' | 'taker',
    ms: number,
  ): void {
    const { request } = order;
    this.#lock(order, new Decimal(0));
    order.rest = order.rest.minus(quantity);
    this.#book(request, quantity, price, liquidity, ms, order.rest);
    const held =
      request.side === 'sell'
        ? order.rest
        : this.#outlay(order.rest.times(decimalFromFixed(request.limitPrice)));
    this.#lock(order, Decimal.min(held, this.free[request.side === 'sell' ? 'BTC' : 'USDT']));
    if (order.rest.eq(0)) this.working = this.working.filter((other) => other !== order);
  }

  #lock(order: Working, amount: Decimal): void {
    const asset = order.request.side === 'sell' ? 'BTC' : 'USDT';
    this.free[asset] = this.free[asset].plus(order.locked).minus(amount);
    order.locked = amount;
  }

  #outlay(value: Decimal): Decimal {
    const { maker, taker, paidIn } = this.#terms.fees;
    const rate = Decimal.max(decimalFromFixed(maker), decimalFromFixed(taker));
    return paidIn === 'quote'
      ? value.plus(value.times(rate).toDecimalPlaces(18, Decimal.ROUND_CEIL))
      : value;
  }

  #book(
    request: OrderRequest,
    quantity: Decimal,
    price: Decimal,
    liquidity: 'maker' | 'taker',
    ms: number,
    rest?: Decimal,
  ): void {
    const { free } = this;
    const isBuy = request.side === 'buy';
    const value = quantity.times(price);
    const rate = decimalFromFixed(this.#terms.fees[liquidity]);
    const feeAsset = isBuy && this.#terms.fees.paidIn === 'received' ? 'BTC' : 'USDT';
    free.BTC = isBuy ? free.BTC.plus(quantity) : free.BTC.minus(quantity);
    free.USDT = isBuy ? free.USDT.minus(value) : free.USDT.plus(value);
    const asked = rounded((feeAsset === 'BTC' ? quantity : value).times(rate));
    const fee = Decimal.min(asked, free[feeAsset]);
    free[feeAsset] = free[feeAsset].minus(fee);
    if (this.#pool !== undefined) this.#pool = this.#pool.minus(quantity);
    const done = request.type === 'market' ? this.#isAll(request, quantity, price) : rest?.eq(0);
    const cost = fee.eq(0) ? '' : ` fee ${fee.toFixed()} ${feeAsset}`;
    this.lines.push(
      `+${String(ms)} fill ${request.clientOrderId} ${quantity.toFixed()} @ ${price.toFixed()} ${liquidity}${cost}${done === true ? ', done' : ''}`,
    );
  }

  #isAll(request: OrderRequest, quantity: Decimal, price: Decimal): boolean {
    const sent = decimalFromFixed(request.quantity);
    return quantity.eq(request.side === 'buy' ? floor(sent.div(price), STEP) : sent);
  }

  #say(ms: number, { clientOrderId }: OrderRequest, what: string): void {
    const kind = what === 'accepted' ? '' : 'ended ';
    this.lines.push(
      kind === ''
        ? `+${String(ms)} accepted ${clientOrderId}`
        : `+${String(ms)} ${kind}${clientOrderId} ${what}`,
    );
  }

  /** Free and locked together. */
  balances(): { readonly USDT: string; readonly BTC: string } {
    const total = { ...this.free };
    for (const { request, locked } of this.working) {
      const asset = request.side === 'sell' ? 'BTC' : 'USDT';
      total[asset] = total[asset].plus(locked);
    }
    return { USDT: total.USDT.toFixed(), BTC: total.BTC.toFixed() };
  }
}
