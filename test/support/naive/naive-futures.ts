import {
  decimalFromFixed,
  Decimal,
  MINUTE_MS,
  type Direction,
  type FeeRates,
  type LimitOrderRequest,
  type OrderRequest,
} from '../../../src/domain/index.js';
import type { ConditionalRequest } from '../../../src/simulator/index.js';
import { NaiveContracts, rounded, ZERO, type NaiveContractTerms } from './naive-contracts.js';
import { NaiveTriggers, refusalOfTrigger, type NaiveTrigger } from './naive-triggers.js';
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
import type { ScriptStep, VenueCandle } from '../spot-venue.js';

export interface NaiveFuturesTerms extends NaiveContractTerms {
  readonly candles: readonly VenueCandle[];
  /** One mark candle for each candle, of the same minute. Undefined: last is the mark. */
  readonly marks: readonly VenueCandle[] | undefined;
  readonly isHighFirst: (candle: VenueCandle) => boolean;
  readonly fees: FeeRates;
  readonly halfSpread: string;
  readonly participation: string | undefined;
  readonly fillOnTouch: boolean;
  /** Rates by the minute at whose start they are settled. */
  readonly funding: ReadonlyMap<number, string>;
}

/** The open candle of last, with the open candle of the mark. */
interface Row {
  readonly last: VenueCandle;
  readonly mark: VenueCandle;
  readonly openMs: number;
}

interface Working {
  readonly request: LimitOrderRequest;
  readonly level: number;
  /** The highest path (for a sell the lowest) at which the order still crosses the spread. Undefined once it has stopped crossing since its arrival. */
  crossing: number | undefined;
  rest: Decimal;
  held: Decimal;
  readonly need: Decimal;
}

const TICK = new Decimal('0.01');
const directionOf = ({ side, action }: OrderRequest): Direction =>
  (side === 'buy') === (action === 'open') ? 'long' : 'short';

/** One contract, simulated millisecond by millisecond with all money in plain decimal.js: slow, short and obvious. */
export class NaiveFutures {
  readonly lines: string[] = [];
  readonly book: NaiveContracts;
  working: Working[] = [];
  readonly triggers = new NaiveTriggers();
  /** Steps of the ladder that were taken, oldest first. */
  readonly ladder: string[] = [];
  #waiting: (OrderRequest | ConditionalRequest)[] = [];
  readonly #opens: ReadonlyMap<number, Row>;
  #now = -1;
  #row: Row | undefined;
  #closes = { last: 0, mark: 0 };
  #pool: Decimal | undefined;
  readonly #terms: NaiveFuturesTerms;

  constructor(terms: NaiveFuturesTerms) {
    this.#terms = terms;
    this.book = new NaiveContracts(terms);
    const { candles, marks = candles } = terms;
    let minute = -1;
    this.#opens = new Map(
      candles.map((last, index) => {
        minute = last.minute ?? minute + 1;
        const openMs = minute * MINUTE_MS;
        return [openMs, { last, mark: marks[index] ?? last, openMs }];
      }),
    );
  }

  play(script: readonly ScriptStep[], until: number): void {
    for (const step of script) {
      this.advance(step.at);
      if ('submit' in step) this.submit(step.submit);
      else if ('condition' in step) this.condition(step.condition);
      else this.cancel(step.cancel);
    }
    this.advance(until);
    this.#happen(until, false);
  }

  /** Advances to an instant, with everything that happens without a command until then. */
  advance(to: number): void {
    while (this.#now < to) {
      this.#happen(this.#now, false);
      const isBusy =
        this.working.length > 0 || this.book.isHeld || this.triggers.waiting.length > 0;
      const step = isBusy ? this.#quietMs(this.#now) : MINUTE_MS;
      const minute = (Math.floor(this.#now / MINUTE_MS) + 1) * MINUTE_MS;
      this.#now = Math.min(to, minute, this.#now + step);
      this.#tick(this.#now);
    }
  }

  #tick(ms: number): void {
    this.#happen(ms, false);
    this.#close(ms);
    const rate = this.#terms.funding.get(ms / MINUTE_MS);
    const opening = this.#opens.get(ms);
    if (rate !== undefined) this.#fund(rate, opening?.mark, ms);
    if (opening !== undefined) {
      this.#open(opening);
      this.#happen(ms, true);
    }
    const waiting = this.#row === undefined ? [] : this.#waiting.splice(0);
    for (const one of waiting) {
      if ('trigger' in one) this.condition(one);
      else this.submit(one);
    }
  }

  /** Milliseconds that can be skipped, at least one: within them no path can reach a level. */
  #quietMs(ms: number): number {
    if (this.#row === undefined) return MINUTE_MS;
    const speed = Math.max(1, fastest(this.#row.last), fastest(this.#row.mark));
    const path = this.#path('last', ms);
    const mark = this.#path('mark', ms);
    const near = Math.min(
      ...this.working.map(({ level, crossing = level }) => Math.abs(path - crossing)),
      ...this.triggers.waiting.map(({ level }) => Math.abs(path - level)),
      this.book.isHeld
        ? this.book.room(mark / THIRD / 100) * THIRD * 100
        : Number.POSITIVE_INFINITY,
    );
    return Math.max(1, Math.min(MINUTE_MS, Math.floor(near / speed) - 1));
  }

  #close(ms: number): void {
    if (this.#row === undefined || ms < this.#row.openMs + MINUTE_MS) return;
    this.#closes = { last: this.#row.last.path[3], mark: this.#row.mark.path[3] };
    this.#row = undefined;
  }

  #open(row: Row): void {
    this.#row = row;
    const { participation } = this.#terms;
    this.#pool =
      participation === undefined
        ? undefined
        : new Decimal(participation).times(String(row.last.volume ?? 1_000)).floor();
  }

  /** In ticks × THIRD. */
  #path(kind: 'last' | 'mark', ms: number): number {
    if (this.#row === undefined) return ticks(this.#closes[kind]) * THIRD;
    const { last, openMs } = this.#row;
    return pathTicks(this.#row[kind].path, this.#terms.isHighFirst(last), ms - openMs);
  }

  #last(ms: number): Decimal {
    return TICK.times(this.#path('last', ms)).div(THIRD);
  }

  /** Price of a path at a part of the millisecond before `ms`. */
  #within(kind: 'last' | 'mark', ms: number, part: bigint): Decimal {
    return priceWithin(this.#path(kind, part === PARTS ? ms : ms - 1), this.#path(kind, ms), part);
  }

  /** Part of the millisecond before `ms` after which the mark reaches a liquidation. All parts if it was there before, or does not reach one. */
  #reachedPart(ms: number): bigint {
    const isShort = (part: bigint): boolean =>
      this.book.broken(rounded(this.#within('mark', ms, part))) !== undefined;
    if (this.#row === undefined || ms <= this.#row.openMs || !this.book.isHeld) return PARTS;
    return isShort(PARTS) && !isShort(0n) ? firstPart(isShort) : PARTS;
  }

  #mark(ms: number): Decimal {
    return rounded(TICK.times(this.#path('mark', ms)).div(THIRD));
  }

  /**
   * Liquidation, then one trigger, then one resting order, and again, until nothing more happens at this instant. At an open all triggers
   * come first, then all orders, then new arrivals.
   */
  #happen(ms: number, isOpen: boolean): void {
    if (this.#row === undefined) return;
    this.#passBy(ms);
    this.#liquidate(ms, isOpen ? PARTS : this.#reachedPart(ms));
    if (isOpen) {
      for (const trigger of this.triggers.reached(this.#path('last', ms)))
        this.#fire(trigger, this.#last(ms), ms);
    }
    while (this.#happenOnce(ms, isOpen)) if (!isOpen) this.#liquidate(ms);
    if (isOpen) this.#liquidate(ms);
    this.#passBy(ms);
  }

  /** An order that no longer crosses becomes a maker: it waits until the path reaches its level. */
  #passBy(ms: number): void {
    const path = this.#path('last', ms);
    for (const order of this.working) {
      const { crossing, request } = order;
      if (crossing === undefined) continue;
      if (request.side === 'buy' ? path > crossing : path < crossing) order.crossing = undefined;
    }
  }

  #happenOnce(ms: number, isOpen: boolean): boolean {
    const [trigger] = isOpen ? [] : this.triggers.reached(this.#path('last', ms));
    if (trigger !== undefined) {
      this.#fire(trigger, TICK.times(trigger.level).div(THIRD), ms);
      return true;
    }
    const order = this.#reached(ms);
    if (order === undefined) return false;
    const quantity = Decimal.min(order.rest, this.#pool ?? order.rest);
    const limit = decimalFromFixed(order.request.limitPrice);
    if (order.crossing === undefined) this.#fillWorking(order, quantity, limit, 'maker', ms);
    else {
      // An order that has crossed since its arrival pays the price of a new taker.
      const { side } = order.request;
      const taker = this.#taker(side, this.#last(ms));
      const price = side === 'buy' ? Decimal.min(taker, limit) : Decimal.max(taker, limit);
      this.#fillWorking(order, quantity, price, 'taker', ms);
    }
    return true;
  }

  /** The trigger's order arrives at the path of the touched level, or at the open if the price jumped there. */
  #fire(trigger: NaiveTrigger, path: Decimal, ms: number): void {
    this.triggers.remove(trigger);
    this.#arrive(trigger.request.order, path, ms);
  }

  #reached(ms: number): Working | undefined {
    if (this.working.length === 0 || this.#pool?.eq(0) === true) return undefined;
    const path = this.#path('last', ms);
    const rank = (order: Working): readonly number[] => {
      const { side, limitPrice } = order.request;
      const price = decimalFromFixed(limitPrice).toNumber();
      return [
        side === 'sell' ? 0 : 1,
        side === 'sell' ? price : -price,
        this.working.indexOf(order),
      ];
    };
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

  submit(request: OrderRequest): void {
    if (this.#row === undefined) {
      this.#waiting.push(request);
      return;
    }
    this.#arrive(request, this.#last(this.#now), this.#now);
    this.#liquidate(this.#now);
  }

  condition(request: ConditionalRequest): void {
    if (this.#row === undefined) {
      this.#waiting.push(request);
      return;
    }
    const refusal = refusalOfTrigger(request, this.#path('last', this.#now));
    this.#say(this.#now, request.order, refusal === undefined ? 'accepted' : `rejected ${refusal}`);
    if (refusal === undefined) this.triggers.add(request);
  }

  #arrive(request: OrderRequest, path: Decimal, ms: number): void {
    if (request.type === 'market') this.#market(request, path, ms);
    else this.#limit(request, path, ms);
  }

  #taker(side: 'buy' | 'sell', at: Decimal, isLevel = false): Decimal {
    const half = new Decimal(this.#terms.halfSpread);
    const paid = at.times(side === 'buy' ? half.plus(1) : new Decimal(1).minus(half));
    const path = (isLevel ? atLevel(paid) : paid).div(TICK);
    return side === 'buy' ? path.ceil().times(TICK) : Decimal.max(1, path.floor()).times(TICK);
  }

  #refusal(
    request: OrderRequest,
    contracts: Decimal,
    price: Decimal,
    ms: number,
  ): string | undefined {
    const direction = directionOf(request);
    if (request.action === 'close') {
      const held = this.book[direction].contracts;
      if (contracts.gt(held)) return '-1156';
      const pending = this.working
        .filter((one) => one.request.action === 'close' && directionOf(one.request) === direction)
        .reduce((sum, { rest }) => sum.plus(rest), ZERO);
      return contracts.gt(held.minus(pending)) ? '10015' : undefined;
    }
    const need = this.#need(request, contracts, price, ms);
    if (need === undefined) return '-1153';
    return need.gt(this.book.available(this.#mark(ms))) ? '-2017' : undefined;
  }

  #need(
    request: OrderRequest,
    contracts: Decimal,
    price: Decimal,
    ms: number,
  ): Decimal | undefined {
    const { maker, taker } = this.#terms.fees;
    // A LIMIT order may pay either fee, so the higher one counts.
    const dearest = request.type === 'limit' && maker > taker ? maker : taker;
    const rate = decimalFromFixed(dearest);
    return this.book.need(directionOf(request), contracts, { price, mark: this.#mark(ms), rate });
  }

  #market(request: OrderRequest, path: Decimal, ms: number): void {
    const sent = decimalFromFixed(request.quantity);
    if (request.action === 'open' && this.#terms.isInverse) {
      this.#say(ms, request, 'rejected -1147');
      return;
    }
    const price = this.#taker(request.side, path);
    const wanted =
      request.action === 'close' ? sent : sent.div(price.times(this.#terms.multiplier)).floor();
    const refusal = wanted.eq(0) ? '-1136' : this.#refusal(request, wanted, price, ms);
    if (refusal !== undefined) {
      this.#say(ms, request, `rejected ${refusal}`);
      return;
    }
    const quantity = Decimal.min(wanted, this.#pool ?? wanted);
    if (quantity.gt(0)) this.#book(request, quantity, price, 'taker', ms, quantity.eq(wanted));
    if (quantity.lt(wanted)) this.#say(ms, request, 'canceled not-at-once');
  }

  #limit(request: LimitOrderRequest, path: Decimal, ms: number): void {
    const limit = decimalFromFixed(request.limitPrice);
    const quantity = decimalFromFixed(request.quantity);
    const refusal = this.#refusal(request, quantity, limit, ms);
    if (refusal !== undefined) {
      this.#say(ms, request, `rejected ${refusal}`);
      return;
    }
    const { side, timeInForce } = request;
    const isBuy = side === 'buy';
    const half = new Decimal(this.#terms.halfSpread);
    const crosses = isBuy
      ? limit.gte(path.times(half.plus(1)))
      : limit.lte(path.times(new Decimal(1).minus(half)));
    const taken = crosses ? Decimal.min(quantity, this.#pool ?? quantity) : ZERO;
    const isShort = taken.lt(quantity);
    if ((timeInForce === 'POST_ONLY' && crosses) || (timeInForce === 'FOK' && isShort)) {
      this.#say(
        ms,
        request,
        timeInForce === 'POST_ONLY' ? 'canceled would-take' : 'canceled not-at-once',
      );
      return;
    }
    const beyond = this.#terms.fillOnTouch ? 0 : isBuy ? -1 : 1;
    const level = (ticks(limit.toNumber()) + beyond) * THIRD;
    const need = request.action === 'open' ? this.#need(request, quantity, limit, ms) : ZERO;
    const factor = isBuy ? half.plus(1) : new Decimal(1).minus(half);
    const crossing = crosses ? limit.div(factor).times(100).times(THIRD).toNumber() : undefined;
    const order: Working = {
      ...{ request, level, crossing, rest: quantity },
      ...{ held: ZERO, need: need ?? ZERO },
    };
    const rests = isShort && timeInForce !== 'IOC';
    if (rests) {
      this.#say(ms, request, 'accepted');
      this.working.push(order);
      this.#hold(order);
    }
    const taker = this.#taker(side, path);
    const price = isBuy ? Decimal.min(taker, limit) : Decimal.max(taker, limit);
    if (taken.gt(0)) this.#fillWorking(order, taken, price, 'taker', ms);
    if (isShort && !rests) {
      this.#release(order);
      this.#say(ms, request, 'canceled not-at-once');
    } else if (rests && !crosses) this.#fillIfReached(order, path, ms);
  }

  /** Fills at once, as a maker, an order whose level is already reached and that only the spread kept from being marketable. */
  #fillIfReached(order: Working, path: Decimal, ms: number): void {
    const level = TICK.times(order.level).div(THIRD);
    const isReached = order.request.side === 'buy' ? path.lte(level) : path.gte(level);
    const quantity = Decimal.min(order.rest, this.#pool ?? order.rest);
    if (isReached && quantity.gt(0))
      this.#fillWorking(order, quantity, decimalFromFixed(order.request.limitPrice), 'maker', ms);
  }

  #hold(order: Working): void {
    this.#release(order);
    order.held = order.need
      .times(order.rest)
      .div(decimalFromFixed(order.request.quantity))
      .toDecimalPlaces(18, Decimal.ROUND_CEIL);
    this.book.frozen = this.book.frozen.plus(order.held);
  }

  #release(order: Working): void {
    this.book.frozen = this.book.frozen.minus(order.held);
    order.held = ZERO;
  }

  #fillWorking(
    order: Working,
    quantity: Decimal,
    price: Decimal,
    liquidity: 'maker' | 'taker',
    ms: number,
  ): void {
    order.rest = order.rest.minus(quantity);
    const isFilled = order.rest.eq(0);
    this.#book(order.request, quantity, price, liquidity, ms, isFilled);
    if (isFilled) this.#remove(order);
    else if (this.working.includes(order)) this.#hold(order);
  }

  #remove(order: Working): void {
    this.#release(order);
    this.working = this.working.filter((other) => other !== order);
  }

  #book(
    request: OrderRequest,
    quantity: Decimal,
    price: Decimal,
    liquidity: 'maker' | 'taker',
    ms: number,
    isFilled: boolean,
  ): void {
    if (this.#pool !== undefined) this.#pool = this.#pool.minus(quantity);
    const rate = decimalFromFixed(this.#terms.fees[liquidity]);
    const direction = directionOf(request);
    const fee =
      request.action === 'open'
        ? this.book.open(direction, quantity, price, rate)
        : this.book.close(direction, quantity, price, rate).fee;
    const cost = fee.eq(0) ? '' : ` fee ${fee.toFixed()} ${this.#terms.isInverse ? 'BTC' : 'USDT'}`;
    this.lines.push(
      `+${String(ms)} fill ${request.clientOrderId} ${quantity.toFixed()} @ ${price.toFixed()} ${liquidity}${cost}${isFilled ? ', done' : ''} [${request.action}]`,
    );
  }

  cancel(id: string): void {
    const ms = this.#now;
    const sentBy = (one: OrderRequest | ConditionalRequest): OrderRequest =>
      'side' in one ? one : one.order;
    const waiting = this.#waiting.find((one) => sentBy(one).clientOrderId === id);
    const order = this.working.find((one) => one.request.clientOrderId === id);
    const trigger = this.triggers.waiting.find((one) => one.request.order.clientOrderId === id);
    const request = waiting ? sentBy(waiting) : (order?.request ?? trigger?.request.order);
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    if (waiting !== undefined) this.#say(ms, sentBy(waiting), 'accepted');
    if (order !== undefined) this.#remove(order);
    else if (trigger !== undefined) this.triggers.remove(trigger);
    if (request === undefined) this.lines.push(`+${String(ms)} cancel-rejected ${id} -2013`);
    else this.#say(ms, request, 'canceled on-request');
  }

  #fund(rate: string, opening: VenueCandle | undefined, ms: number): void {
    const { marks, isInverse } = this.#terms;
    // With a mark candle that opens now, its open. Without marks, or in a gap, the last known mark.
    const mark =
      marks !== undefined && opening !== undefined
        ? new Decimal(String(opening.path[0]))
        : this.#mark(ms);
    for (const direction of ['long', 'short'] as const) {
      if (this.book[direction].contracts.eq(0)) continue;
      const amount = this.book.fund(direction, mark, new Decimal(rate));
      this.lines.push(
        `+${String(ms)} funding ${direction} ${amount.toFixed()} ${isInverse ? 'BTC' : 'USDT'} at ${mark.toFixed()}`,
      );
    }
  }

  #liquidate(ms: number, part = PARTS): void {
    if (!this.book.isHeld) return;
    const mark = rounded(this.#within('mark', ms, part));
    const last = part === PARTS ? this.#last(ms) : rounded(this.#within('last', ms, part));
    for (let side = this.book.broken(mark); side !== undefined; side = this.book.broken(mark)) {
      const position = this.book[side];
      if (!position.isFrozen) {
        position.isFrozen = true;
        this.ladder.push('cancel-orders');
        for (const order of [...this.working]) {
          this.#remove(order);
          this.#say(ms, order.request, 'canceled -1157');
        }
      } else if (this.book.long.contracts.gt(0) && this.book.short.contracts.gt(0)) {
        this.ladder.push('net');
        this.#net(mark, ms);
      } else {
        const kept = this.book.lowerTier(side, mark);
        this.ladder.push(kept.gt(0) ? 'reduce' : 'close');
        const contracts = position.contracts.minus(kept);
        const price = this.#taker(side === 'long' ? 'sell' : 'buy', last, part !== PARTS);
        const rate = new Decimal(this.#terms.maxFeeRate);
        const { fee, back } = this.book.close(side, contracts, price, rate);
        this.#sayForced('liquidation', side, { contracts, price, fee, back, ms });
      }
    }
    for (const side of [this.book.long, this.book.short]) {
      if (side.isFrozen && side.contracts.gt(0)) this.ladder.push('release');
      side.isFrozen = false;
    }
  }

  /** The account in text: contracts, margin, realized and unrealized result per direction; balance, frozen and available money. */
  state(): string {
    const mark = this.#mark(this.#now);
    const words = (values: readonly Decimal[]): string =>
      values.map((value) => value.toFixed()).join(' ');
    const side = (direction: Direction): string => {
      const { contracts, realized } = this.book[direction];
      if (contracts.eq(0)) return 'flat';
      const unrealized = this.book.unrealized(direction, mark);
      return words([contracts, this.book.setAside(direction, mark), realized, unrealized]);
    };
    const { balance, frozen } = this.book;
    const money = words([balance, frozen, this.book.available(mark)]);
    return `long ${side('long')}, short ${side('short')}, money ${money}`;
  }

  #net(mark: Decimal, ms: number): void {
    const contracts = Decimal.min(this.book.long.contracts, this.book.short.contracts);
    const long = this.book.close('long', contracts, mark, ZERO);
    const short = this.book.close('short', contracts, mark, ZERO);
    const terms = { contracts, price: mark, fee: ZERO, ms };
    this.#sayForced('netting', 'long', { ...terms, back: long.back });
    this.#sayForced('netting', 'short', { ...terms, back: short.back });
  }

  #sayForced(
    cause: string,
    direction: Direction,
    terms: {
      readonly contracts: Decimal;
      readonly price: Decimal;
      readonly fee: Decimal;
      readonly back: Decimal;
      readonly ms: number;
    },
  ): void {
    const { contracts, price, fee, back, ms } = terms;
    const insurance = this.book.insure(direction, back);
    const insured = insurance.eq(0) ? '' : ` insured ${insurance.toFixed()}`;
    this.lines.push(
      `+${String(ms)} forced-fill ${cause} ${direction === 'long' ? 'sell' : 'buy'} ${contracts.toFixed()} @ ${price.toFixed()} fee ${fee.toFixed()}${insured}`,
    );
  }

  #say(ms: number, { clientOrderId }: OrderRequest, what: string): void {
    this.lines.push(
      what === 'accepted'
        ? `+${String(ms)} accepted ${clientOrderId}`
        : `+${String(ms)} ended ${clientOrderId} ${what}`,
    );
  }
}
