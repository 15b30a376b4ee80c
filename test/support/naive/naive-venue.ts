import {
  decimalFromFixed,
  Decimal,
  HOUR_MS,
  MINUTE_MS,
  type FeeRates,
  type LimitOrderRequest,
  type OrderRequest,
} from '../../../src/domain/index.js';
import {
  atLevel,
  fastest,
  firstPart,
  PARTS,
  pathTicks,
  priceWithin,
  THIRD,
  ticks,
} from './naive-path.js';
import { rounded, ZERO, type NaiveCharge, type NaivePurse } from './naive-purse.js';
import type { ScriptStep, VenueCandle } from '../spot-venue.js';

/** Terms of a naive venue. It simulates minutes of BTCUSDT, on spot or margin, millisecond by millisecond with all money in plain decimal.js. */
export interface NaiveTerms {
  readonly candles: readonly VenueCandle[];
  readonly isHighFirst: (candle: VenueCandle) => boolean;
  /** The account that trades. */
  readonly purse: NaivePurse;
  readonly fees: FeeRates;
  readonly halfSpread: string;
  readonly slippage: string;
  readonly participation: string | undefined;
  readonly fillOnTouch: boolean;
  readonly minMoney: string;
}

const TICK = new Decimal('0.01');
const STEP = new Decimal('0.001');
const floor = (value: Decimal, step: Decimal): Decimal => value.div(step).floor().times(step);
const ceil = (value: Decimal, step: Decimal): Decimal => value.div(step).ceil().times(step);

interface Working {
  readonly request: LimitOrderRequest;
  /** Position of the path at which the order fills, in ticks × {@link THIRD}. */
  readonly level: number;
  readonly age: number;
  /** The highest path (for a sell the lowest) at which the order still crosses the spread. Undefined once it has stopped crossing since its arrival. */
  crossing: number | undefined;
  rest: Decimal;
}

export class NaiveVenue {
  readonly lines: string[] = [];
  working: Working[] = [];
  #waiting: OrderRequest[] = [];
  #candle: { readonly row: VenueCandle; readonly openMs: number } | undefined;
  #pool: Decimal | undefined;
  readonly #opens: ReadonlyMap<number, VenueCandle>;
  #now = -1;
  readonly #terms: NaiveTerms;

  constructor(terms: NaiveTerms) {
    this.#terms = terms;
    let minute = -1;
    this.#opens = new Map(
      terms.candles.map((row) => [(minute = row.minute ?? minute + 1) * MINUTE_MS, row]),
    );
  }

  play(script: readonly ScriptStep[], until: number): void {
    for (const step of script) {
      this.advance(step.at);
      if ('submit' in step) this.submit(step.submit);
      else if ('cancel' in step) this.cancel(step.cancel);
    }
    this.advance(until);
    this.#happen(until, false);
  }

  /** Advances to an instant, with everything that happens without a command until then. */
  advance(to: number): void {
    while (this.#now < to) {
      this.#happen(this.#now, false);
      const minute = (Math.floor(this.#now / MINUTE_MS) + 1) * MINUTE_MS;
      this.#now = Math.min(to, minute, this.#now + this.#quietMs(this.#now));
      this.#tick(this.#now);
    }
  }

  /** Milliseconds that can be skipped, at least one: within them the path cannot reach a level. */
  #quietMs(ms: number): number {
    const path = this.#path(ms);
    if (this.#candle === undefined || path === undefined) return MINUTE_MS;
    const near = Math.min(
      ...this.working.map(({ level, crossing = level }) => Math.abs(path - crossing)),
      this.#terms.purse.room(path / THIRD / 100) * THIRD * 100,
    );
    const speed = Math.max(1, fastest(this.#candle.row));
    return Math.max(1, Math.min(MINUTE_MS, Math.floor(near / speed) - 1));
  }

  #tick(ms: number): void {
    this.#happen(ms, false);
    if (this.#candle !== undefined && ms >= this.#candle.openMs + MINUTE_MS)
      this.#candle = undefined;
    if (ms % HOUR_MS === 0) this.#sayInterest(ms, this.#terms.purse.chargeHour());
    const row = this.#opens.get(ms);
    if (row !== undefined) {
      this.#open(row, ms);
      this.#happen(ms, true);
    }
    const waiting = this.#candle === undefined ? [] : this.#waiting.splice(0);
    for (const request of waiting) this.submit(request);
  }

  /** Margin level, then one resting order, and again, until nothing more happens at this instant. At an open all orders come first. */
  #happen(ms: number, isOpen: boolean): void {
    if (this.#candle === undefined) return;
    this.#passBy(ms);
    this.#watch(ms, isOpen, isOpen ? PARTS : this.#reachedPart(ms));
    for (let order = this.#reached(ms); order !== undefined; order = this.#reached(ms)) {
      this.#fillReached(order, ms);
      if (!isOpen) this.#watch(ms, false);
    }
    if (isOpen) this.#watch(ms, false);
  }

  /** An order that no longer crosses becomes a maker: it waits until the path reaches its level. */
  #passBy(ms: number): void {
    const path = this.#path(ms) ?? Number.NaN;
    for (const order of this.working) {
      const { crossing, request } = order;
      if (crossing === undefined) continue;
      if (request.side === 'buy' ? path > crossing : path < crossing) order.crossing = undefined;
    }
  }

  /** Fills an order that is reached. An order that has crossed since its arrival pays the price of a new taker. */
  #fillReached(order: Working, ms: number): void {
    if (order.crossing === undefined) {
      this.#fillAtLimit(order, ms);
      return;
    }
    const path = this.#price(ms);
    const quantity = Decimal.min(order.rest, this.#pool ?? order.rest);
    if (path === undefined) return;
    const { side } = order.request;
    const limit = decimalFromFixed(order.request.limitPrice);
    const taker = this.#taker(side, path);
    const price = side === 'buy' ? Decimal.min(taker, limit) : Decimal.max(taker, limit);
    this.#fillWorking(order, quantity, price, 'taker', ms);
  }

  #open(row: VenueCandle, openMs: number): void {
    this.#candle = { row, openMs };
    const { participation } = this.#terms;
    this.#pool =
      participation === undefined
        ? undefined
        : floor(new Decimal(participation).times(String(row.volume ?? 1_000)), STEP);
  }

  #path(ms: number): number | undefined {
    if (this.#candle === undefined) return undefined;
    const { row, openMs } = this.#candle;
    return pathTicks(row.path, this.#terms.isHighFirst(row), ms - openMs);
  }

  #price(ms: number): Decimal | undefined {
    const path = this.#path(ms);
    return path === undefined ? undefined : TICK.times(path).div(THIRD);
  }

  /** Price of the path at a part of the millisecond before `ms`. */
  #within(ms: number, part: bigint): Decimal {
    return priceWithin(this.#path(ms - 1) ?? 0, this.#path(ms) ?? 0, part);
  }

  /** Part of the millisecond before `ms` after which the account falls to a warning or a call. All parts if it was there before, or does not fall so far. */
  #reachedPart(ms: number): bigint {
    const isShort = (part: bigint): boolean =>
      this.#terms.purse.isShort(rounded(this.#within(ms, part)));
    if (this.#candle === undefined || ms <= this.#candle.openMs) return PARTS;
    return isShort(PARTS) && !isShort(0n) ? firstPart(isShort) : PARTS;
  }

  #reached(ms: number): Working | undefined {
    const path = this.working.length === 0 ? undefined : this.#path(ms);
    if (path === undefined || this.#pool?.eq(0) === true) return undefined;
    const rank = ({ request: { side, limitPrice }, age }: Working): readonly number[] =>
      side === 'sell' ? [0, Number(limitPrice), age] : [1, -Number(limitPrice), age];
    return this.working
      .filter(
        ({ request, level, crossing }) =>
          crossing !== undefined || (request.side === 'buy' ? path <= level : path >= level),
      )
      .sort((a, b) => {
        const [left, right] = [rank(a), rank(b)];
        const place = left.findIndex((value, index) => value !== right[index]);
        return place < 0 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
      })[0];
  }

  #fillAtLimit(order: Working, ms: number): void {
    const quantity = Decimal.min(order.rest, this.#pool ?? order.rest);
    if (quantity.gt(0))
      this.#fillWorking(order, quantity, decimalFromFixed(order.request.limitPrice), 'maker', ms);
  }

  /** Checks the margin level: warns, or sells everything (DESIGN R13). Has no effect on spot. */
  #watch(ms: number, isOpen: boolean, part = PARTS): void {
    const { purse } = this.#terms;
    const path = part === PARTS ? this.#price(ms) : rounded(this.#within(ms, part));
    if (path === undefined) return;
    const verdict = purse.assess(rounded(path), isOpen);
    if (verdict?.kind === 'warning')
      this.lines.push(`+${String(ms)} margin-warning ${verdict.level.toFixed()}`);
    if (verdict?.kind !== 'call') return;
    for (const { request } of [...this.working]) this.cancel(request.clientOrderId, 'margin-call');
    const { taker, paidIn } = this.#terms.fees;
    const forced = purse.call({
      price: (side) => this.#taker(side, path, part !== PARTS),
      worth: rounded(path),
      rate: decimalFromFixed(taker),
      paidIn,
      step: STEP,
    });
    for (const line of forced) this.lines.push(`+${String(ms)} forced-fill margin-call ${line}`);
  }

  submit(request: OrderRequest): void {
    const path = this.#price(this.#now);
    if (path === undefined) {
      this.#waiting.push(request);
      return;
    }
    if (request.type === 'market') this.#market(request, path, this.#now);
    else this.#limit(request, path, this.#now);
    this.#watch(this.#now, false);
  }

  #taker(side: 'buy' | 'sell', path: Decimal, isLevel = false): Decimal {
    const cost = new Decimal(this.#terms.halfSpread).plus(this.#terms.slippage);
    const exact = path.times(side === 'buy' ? cost.plus(1) : new Decimal(1).minus(cost));
    const paid = isLevel ? atLevel(exact) : exact;
    return side === 'buy' ? ceil(paid, TICK) : Decimal.max(TICK, floor(paid, TICK));
  }

  #market(request: OrderRequest, path: Decimal, ms: number): void {
    const price = this.#taker(request.side, path);
    const sent = decimalFromFixed(request.quantity);
    const isBuy = request.side === 'buy';
    const last = path.div(TICK).toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN).times(TICK);
    if ((isBuy ? sent : sent.times(last)).lt(this.#terms.minMoney))
      this.#say(ms, request, 'rejected -1160');
    else if (!this.#covers(request.side, isBuy ? this.#outlay(sent) : sent, path))
      this.#say(ms, request, 'rejected -2017');
    else {
      const wanted = isBuy ? floor(sent.div(price), STEP) : sent;
      if (wanted.eq(0)) this.#say(ms, request, 'rejected -1136');
      else {
        const quantity = Decimal.min(wanted, this.#pool ?? wanted);
        if (quantity.gt(0)) this.#book(request, quantity, price, 'taker', ms);
        if (quantity.lt(wanted)) this.#say(ms, request, 'canceled not-at-once');
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
    else if (!this.#covers(request.side, needed, path)) this.#say(ms, request, 'rejected -2017');
    else if ((timeInForce === 'POST_ONLY' && crosses) || (timeInForce === 'FOK' && isShort))
      this.#say(
        ms,
        request,
        timeInForce === 'POST_ONLY' ? 'canceled would-take' : 'canceled not-at-once',
      );
    else {
      const beyond = this.#terms.fillOnTouch ? 0 : isBuy ? -1 : 1;
      const level = (ticks(limit.toNumber()) + beyond) * THIRD;
      const levelPrice = TICK.times(beyond).plus(limit);
      const factor = isBuy ? half.plus(1) : new Decimal(1).minus(half);
      const crossing = crosses ? limit.div(factor).times(100).times(THIRD).toNumber() : undefined;
      const order: Working = { request, level, crossing, age: ms, rest: quantity };
      const rests = isShort && timeInForce !== 'IOC';
      this.#hold(order, needed);
      if (rests) this.#say(ms, request, 'accepted');
      if (rests) this.working.push(order);
      const taker = this.#taker(request.side, path);
      const price = isBuy ? Decimal.min(taker, limit) : Decimal.max(taker, limit);
      if (taken.gt(0)) this.#fillWorking(order, taken, price, 'taker', ms);
      if (isShort && !rests) this.#hold(order, ZERO);
      if (isShort && !rests) this.#say(ms, request, 'canceled not-at-once');
      const isThere = isBuy ? path.lte(levelPrice) : path.gte(levelPrice);
      if (rests && !crosses && isThere) this.#fillAtLimit(order, ms);
    }
  }

  #covers(side: 'buy' | 'sell', needed: Decimal, path: Decimal): boolean {
    return this.#terms.purse.covers(side === 'buy' ? 'USDT' : 'BTC', needed, rounded(path));
  }

  cancel(id: string, why = 'on-request'): void {
    const waiting = this.#waiting.find(({ clientOrderId }) => clientOrderId === id);
    const order = this.working.find(({ request }) => request.clientOrderId === id);
    const request = waiting ?? order?.request;
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    if (waiting !== undefined) this.#say(this.#now, waiting, 'accepted');
    if (order !== undefined) {
      this.#hold(order, ZERO);
      this.working = this.working.filter((other) => other !== order);
    }
    if (request === undefined) this.lines.push(`+${String(this.#now)} cancel-rejected ${id} -2013`);
    else this.#say(this.#now, request, `canceled ${why}`);
  }

  #fillWorking(
    order: Working,
    quantity: Decimal,
    price: Decimal,
    liquidity: 'maker' | 'taker',
    ms: number,
  ): void {
    const { request } = order;
    this.#hold(order, ZERO);
    order.rest = order.rest.minus(quantity);
    this.#book(request, quantity, price, liquidity, ms, order.rest);
    const held =
      request.side === 'sell'
        ? order.rest
        : this.#outlay(order.rest.times(decimalFromFixed(request.limitPrice)));
    this.#hold(order, held);
    if (order.rest.eq(0)) this.working = this.working.filter((other) => other !== order);
  }

  #hold({ request: { clientOrderId, side } }: Working, amount: Decimal): void {
    this.#terms.purse.hold(clientOrderId, side === 'sell' ? 'BTC' : 'USDT', amount);
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
    const isBuy = request.side === 'buy';
    const value = quantity.times(price);
    const rate = decimalFromFixed(this.#terms.fees[liquidity]);
    const feeAsset = isBuy && this.#terms.fees.paidIn === 'received' ? 'BTC' : 'USDT';
    const asked = rounded((feeAsset === 'BTC' ? quantity : value).times(rate));
    const { fee, interest } = this.#terms.purse.trade({
      isBuy,
      quantity,
      value,
      fee: asked,
      feeAsset,
    });
    this.#sayInterest(ms, interest);
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

  #sayInterest(ms: number, charges: readonly NaiveCharge[]): void {
    for (const { asset, amount } of charges)
      this.lines.push(`+${String(ms)} interest ${amount.toFixed()} ${asset}`);
  }
}
