import {
  decimalFromFixed,
  Decimal,
  MINUTE_MS,
  type Direction,
  type FeeRates,
  type LimitOrderRequest,
  type OrderRequest,
} from '../../src/domain/index.js';
import { NaiveContracts, rounded, ZERO, type NaiveContractTerms } from './naive-contracts.js';
import { pathTicks, THIRD } from './naive-venue.js';
import type { ScriptStep, VenueCandle } from './spot-venue.js';

export interface NaiveFuturesTerms extends NaiveContractTerms {
  readonly candles: readonly VenueCandle[];
  /** One for each candle, of the same minute; none: last is the mark. */
  readonly marks: readonly VenueCandle[] | undefined;
  readonly isHighFirst: (candle: VenueCandle) => boolean;
  readonly fees: FeeRates;
  readonly halfSpread: string;
  readonly participation: string | undefined;
  readonly fillOnTouch: boolean;
  /** Rates by the minute at whose start they are settled. */
  readonly funding: ReadonlyMap<number, string>;
}

interface Working {
  readonly request: LimitOrderRequest;
  readonly level: number;
  rest: Decimal;
  held: Decimal;
  readonly need: Decimal;
}

const TICK = new Decimal('0.01');
const ticks = (price: number): number => Math.round(price * 100);
const directionOf = ({ side, action }: OrderRequest): Direction =>
  (side === 'buy') === (action === 'open') ? 'long' : 'short';

/** One contract told millisecond by millisecond, all money in plain decimal.js: slow, short and obvious. */
export class NaiveFutures {
  readonly lines: string[] = [];
  readonly book: NaiveContracts;
  working: Working[] = [];
  #waiting: OrderRequest[] = [];
  #row:
    { readonly last: VenueCandle; readonly mark: VenueCandle; readonly openMs: number } | undefined;
  #closes = { last: 0, mark: 0 };
  #pool: Decimal | undefined;
  readonly #terms: NaiveFuturesTerms;
  #forced = 0;

  constructor(terms: NaiveFuturesTerms) {
    this.#terms = terms;
    this.book = new NaiveContracts(terms);
  }

  play(script: readonly ScriptStep[], until: number): void {
    const { candles, marks = candles, funding } = this.#terms;
    let minute = -1;
    const opens = new Map(
      candles.map((last, index) => {
        minute = last.minute ?? minute + 1;
        return [
          minute * MINUTE_MS,
          { last, mark: marks[index] ?? last, openMs: minute * MINUTE_MS },
        ];
      }),
    );
    const steps = [...script];
    const isBusy = (): boolean => this.working.length > 0 || this.book.isHeld;
    for (
      let ms = 0;
      ms <= until;
      ms = Math.min(
        this.#nextStop(ms, steps[0]?.at),
        isBusy() ? ms + this.#quietMs(ms) : Number.POSITIVE_INFINITY,
      )
    ) {
      this.#happen(ms, false);
      this.#close(ms);
      const rate = funding.get(ms / MINUTE_MS);
      const opening = opens.get(ms);
      if (rate !== undefined) this.#fund(rate, opening?.mark, ms);
      if (opening !== undefined) {
        this.#open(opening);
        this.#happen(ms, true);
      }
      const waiting = this.#row === undefined ? [] : this.#waiting.splice(0);
      for (const request of waiting) this.#arrive(request, ms);
      for (let step = steps[0]; step?.at === ms; step = steps[0]) {
        steps.shift();
        if ('submit' in step) this.#arrive(step.submit, ms);
        else if ('cancel' in step) this.#cancel(step.cancel, ms);
      }
      this.#happen(ms, false);
    }
  }

  #nextStop(ms: number, step = Number.POSITIVE_INFINITY): number {
    return Math.max(ms + 1, Math.min(step, (Math.floor(ms / MINUTE_MS) + 1) * MINUTE_MS));
  }

  /** Milliseconds that can be passed over, at least one: the paths are not fast enough to come to any level before. */
  #quietMs(ms: number): number {
    if (this.#row === undefined) return MINUTE_MS;
    const speed = Math.max(1, fastest(this.#row.last), fastest(this.#row.mark));
    const path = this.#path('last', ms);
    const mark = this.#path('mark', ms);
    const near = Math.min(
      ...this.working.map(({ level }) => Math.abs(path - level)),
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

  #open(row: {
    readonly last: VenueCandle;
    readonly mark: VenueCandle;
    readonly openMs: number;
  }): void {
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

  #mark(ms: number): Decimal {
    return rounded(TICK.times(this.#path('mark', ms)).div(THIRD));
  }

  /** Liquidation, then one resting order, and again, until nothing is left to do at this instant. At an open all orders fill first, and what arrives then arrives first. */
  #happen(ms: number, isOpen: boolean): void {
    if (this.#row === undefined) return;
    this.#liquidate(ms);
    for (let order = this.#reached(ms); order !== undefined; order = this.#reached(ms)) {
      const quantity = Decimal.min(order.rest, this.#pool ?? order.rest);
      this.#fillWorking(order, quantity, decimalFromFixed(order.request.limitPrice), 'maker', ms);
      if (!isOpen) this.#liquidate(ms);
    }
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
      .filter(({ request, level }) => (request.side === 'buy' ? path <= level : path >= level))
      .sort((a, b) => {
        const [left, right] = [rank(a), rank(b)];
        const place = left.findIndex((value, index) => value !== right[index]);
        return place < 0 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
      })[0];
  }

  #arrive(request: OrderRequest, ms: number): void {
    if (this.#row === undefined) this.#waiting.push(request);
    else if (request.type === 'market') this.#market(request, ms);
    else this.#limit(request, ms);
  }

  #taker(side: 'buy' | 'sell', ms: number): Decimal {
    const half = new Decimal(this.#terms.halfSpread);
    const path = this.#last(ms).div(TICK);
    return side === 'buy'
      ? path.times(half.plus(1)).ceil().times(TICK)
      : Decimal.max(1, path.times(new Decimal(1).minus(half)).floor()).times(TICK);
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
    const rate = decimalFromFixed(this.#terms.fees.taker);
    return this.book.need(directionOf(request), contracts, { price, mark: this.#mark(ms), rate });
  }

  #market(request: OrderRequest, ms: number): void {
    const sent = decimalFromFixed(request.quantity);
    if (request.action === 'open' && this.#terms.isInverse) {
      this.#say(ms, request, 'rejected -1147');
      return;
    }
    const price = this.#taker(request.side, ms);
    const wanted =
      request.action === 'close' ? sent : sent.div(price.times(this.#terms.multiplier)).floor();
    const refusal = wanted.eq(0) ? '-1136' : this.#refusal(request, wanted, price, ms);
    if (refusal !== undefined) {
      this.#say(ms, request, `rejected ${refusal}`);
      return;
    }
    const quantity = Decimal.min(wanted, this.#pool ?? wanted);
    if (quantity.gt(0)) this.#book(request, quantity, price, 'taker', ms, quantity.eq(wanted));
    if (quantity.lt(wanted)) this.#say(ms, request, 'canceled 0');
  }

  #limit(request: LimitOrderRequest, ms: number): void {
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
    const path = this.#last(ms);
    const crosses = isBuy
      ? limit.gte(path.times(half.plus(1)))
      : limit.lte(path.times(new Decimal(1).minus(half)));
    const taken = crosses ? Decimal.min(quantity, this.#pool ?? quantity) : ZERO;
    const isShort = taken.lt(quantity);
    if ((timeInForce === 'POST_ONLY' && crosses) || (timeInForce === 'FOK' && isShort)) {
      this.#say(ms, request, 'canceled 0');
      return;
    }
    const beyond = this.#terms.fillOnTouch ? 0 : isBuy ? -1 : 1;
    const level = (ticks(limit.toNumber()) + beyond) * THIRD;
    const need = request.action === 'open' ? this.#need(request, quantity, limit, ms) : ZERO;
    const order: Working = { request, level, rest: quantity, held: ZERO, need: need ?? ZERO };
    const rests = isShort && timeInForce !== 'IOC';
    if (rests) {
      this.#say(ms, request, 'accepted');
      this.working.push(order);
      this.#hold(order);
    }
    const taker = this.#taker(side, ms);
    const price = isBuy ? Decimal.min(taker, limit) : Decimal.max(taker, limit);
    if (taken.gt(0)) this.#fillWorking(order, taken, price, 'taker', ms);
    if (isShort && !rests) {
      this.#release(order);
      this.#say(ms, request, 'canceled 0');
    } else if (rests) this.#fillIfReached(order, ms);
  }

  /** Beyond its level already and only not marketable because of the spread: fills as a maker at once. */
  #fillIfReached(order: Working, ms: number): void {
    const path = this.#path('last', ms);
    const isReached = order.request.side === 'buy' ? path <= order.level : path >= order.level;
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

  #cancel(id: string, ms: number): void {
    const waiting = this.#waiting.findIndex(({ clientOrderId }) => clientOrderId === id);
    const order = this.working.find(({ request }) => request.clientOrderId === id);
    const [request] = waiting >= 0 ? this.#waiting.splice(waiting, 1) : [order?.request];
    if (order !== undefined) this.#remove(order);
    if (request === undefined) this.lines.push(`+${String(ms)} cancel-rejected ${id} -2013`);
    else this.#say(ms, request, 'canceled 0');
  }

  #fund(rate: string, opening: VenueCandle | undefined, ms: number): void {
    const { marks, isInverse } = this.#terms;
    // With marks it is the open of the one that opens now; without any, and in a gap, what was known last.
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

  #liquidate(ms: number): void {
    if (!this.book.isHeld) return;
    const mark = this.#mark(ms);
    for (let side = this.book.broken(mark); side !== undefined; side = this.book.broken(mark)) {
      const position = this.book[side];
      if (!position.isFrozen) {
        position.isFrozen = true;
        for (const order of [...this.working]) {
          this.#remove(order);
          this.#say(ms, order.request, 'canceled -1157');
        }
      } else if (this.book.long.contracts.gt(0) && this.book.short.contracts.gt(0)) {
        this.#net(mark, ms);
      } else {
        const contracts = position.contracts.minus(this.book.lowerTier(side, mark));
        const price = this.#taker(side === 'long' ? 'sell' : 'buy', ms);
        const rate = new Decimal(this.#terms.maxFeeRate);
        const { fee, back } = this.book.close(side, contracts, price, rate);
        this.#sayForced('liquidation', side, { contracts, price, fee, back, ms });
      }
    }
    this.book.long.isFrozen = false;
    this.book.short.isFrozen = false;
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
    this.#forced += 1;
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

/** Most that the path of a candle moves in a millisecond, in ticks × THIRD. */
function fastest({ path: [, high, low] }: VenueCandle): number {
  return ticks(high) - ticks(low);
}
