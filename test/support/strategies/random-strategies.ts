import {
  auditTime,
  delay,
  distinctUntilChanged,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  pairwise,
  scan,
  share,
  take,
  tap,
  timer,
  withLatestFrom,
  type Observable,
} from 'rxjs';

import {
  atr,
  bollinger,
  cancel,
  crossedAbove,
  crossedBelow,
  donchian,
  ema,
  enterLong,
  exit,
  flatten,
  int,
  macd,
  number,
  rsi,
  sma,
  Strategy,
  supertrend,
  vwap,
  type Direction,
  type EntryTerms,
  type Level,
  type Market,
  type OrderHandle,
  type OrderIntent,
  type Verdict,
} from 'evenkeel';
import { decimalText, isInverse, RandomTrader } from './random-trader.js';

/** Times in force of LIMIT orders on contracts; pairs have GTC only. */
const TIMES_IN_FORCE: readonly NonNullable<EntryTerms['timeInForce']>[] = [
  'GTC',
  'IOC',
  'IOC',
  'FOK',
  'POST_ONLY',
];

/** Uses every term of orders and guards. */
export class BroadTrader extends RandomTrader {
  /** Buys for an amount of quote. On an inverse contract a marketable IOC order replaces the MARKET order, which cannot open there. */
  protected buy(notional: string, instrument = this.#first()): number {
    const limitPrice = decimalText(this.lastOf(instrument) * 1.01);
    const terms = isInverse(instrument) ? ({ limitPrice, timeInForce: 'IOC' } as const) : {};
    return this.enterLong({ notional }, { instrument, ...terms }).intentId;
  }

  protected override limit(instrument: string): ReturnType<RandomTrader['limit']> {
    return {
      limitPrice: this.near(instrument),
      ...(instrument.startsWith('futures') && { timeInForce: this.pick(TIMES_IN_FORCE) }),
      ...(this.random() < 0.2 && { priceRounding: 'nearest' }),
    };
  }

  protected override direction(): Direction | undefined {
    return this.random() < 0.3 ? this.pick<Direction>(['long', 'short']) : undefined;
  }

  protected override level(instrument: string): Level {
    return this.random() < 0.2 ? { price: this.near(instrument) } : super.level(instrument);
  }

  #first(): string {
    return firstOf(this.instruments).instrumentId;
  }
}

/** Enters for up to 12 times its equity, also far from the market, so that the venue liquidates positions. */
export class BoldTrader extends BroadTrader {
  override onCandle(): void {
    if (this.random() < 0.35) this.#dare(this.pick(this.instruments).instrumentId);
    super.onCandle();
  }

  #dare(instrument: string): number {
    const limits = isInverse(instrument) || this.random() < 0.5;
    const limitPrice = decimalText(this.lastOf(instrument) * (0.9 + this.random() * 0.2));
    const size = { equity: decimalText(this.random() * 12) };
    const terms = { instrument, add: this.random() < 0.5, ...(limits && { limitPrice }) };
    const isShort = !instrument.startsWith('spot') && this.random() < 0.5;
    return (isShort ? this.enterShort(size, terms) : this.enterLong(size, terms)).intentId;
  }
}

/** Trades by timers and marks, too. */
export class RandomTimer extends BroadTrader {
  override intents(): Observable<OrderIntent> {
    const { market } = this;
    const late$ = market.candles$().pipe(
      delay(30_500),
      map(() => (this.random() < 0.2 ? enterLong({ notional: '150' }) : exit())),
    );
    const calm$ = market.candles$().pipe(
      auditTime(170_000),
      map(() => exit()),
    );
    const marked$ = market.marks$().pipe(map(() => exit()));
    return merge(super.intents(), late$, calm$, marked$);
  }
}

/** Trades by averages, some of which are computed ahead. */
export class RandomCrossing extends BroadTrader {
  readonly fast = this.indicator(sma(3));
  readonly slow = this.indicator(sma(11, 'hlc3'));
  readonly busy = this.indicator(sma(12, 'volume'));

  override onCandle(): void {
    const { fast, slow, busy } = this;
    if (crossedAbove(fast, slow)) this.buy('120');
    else if (crossedBelow(fast, slow)) this.exit();
    if (busy.value > busy.previous || fast.value < slow.previous) super.onCandle();
  }
}

/** Trades by indicators of every kind on the first stream, and by an average on every stream. */
export class RandomIndicators extends BroadTrader {
  readonly range = this.indicator(atr(5));
  readonly bands = this.indicator(bollinger(7, 1));
  readonly channel = this.indicator(donchian(6));
  readonly difference = this.indicator(macd({ fast: 3, slow: 7, signal: 4 }));
  readonly strength = this.indicator(rsi(6));
  readonly trend = this.indicator(supertrend(4, 1));
  readonly weighted = this.indicator(vwap(5));
  readonly averages = this.instruments.flatMap(({ instrumentId: instrument, intervals }) =>
    intervals.map((interval) => this.indicator(ema(3), { instrument, interval })),
  );

  override onCandle(): void {
    const { bands, channel, difference, strength, weighted, range, trend } = this;
    const { instrumentId } = this.pick(this.instruments);
    const close = this.lastOf(instrumentId);
    const isStrong = strength.value > 50 || close > bands.upper.value || trend.value < close;
    const isRising = difference.macd.value > difference.signal.value || close > weighted.value;
    const isAbove = this.averages.filter(({ value }) => close > value).length;
    if (isStrong && isRising && range.value > 0 && isAbove > 0) this.buy('300', instrumentId);
    else if (close < channel.lower.previous) this.exit({ instrument: instrumentId });
    if (isAbove === 0) super.onCandle();
  }
}

/** Subscribes to streams in the middle of the run, and unsubscribes from some of them later. */
export class LateListener extends BroadTrader {
  #heard = 0;

  override onCandle(): void {
    this.#heard += 1;
    const { market } = this;
    const hear = { error: () => undefined };
    if (this.#heard === 20)
      market.slices$.subscribe({ ...hear, next: (slice) => void (this.#heard += slice.length) });
    if (this.#heard === 40) timer(90_000).subscribe({ ...hear, next: () => this.buy('150') });
    if (this.#heard === 60)
      market
        .marks$()
        .pipe(take(10))
        .subscribe({ ...hear, next: () => this.exit() });
    if (this.#heard === 100)
      market
        .candles$()
        .pipe(take(5))
        .subscribe({ ...hear, next: () => this.exit() });
    if (this.#heard % 3 === 0) super.onCandle();
  }
}

/** Logs every update it receives, and its readings at each candle. Its intents depend on these readings. */
export class Chronicler extends BroadTrader {
  override intents(): Observable<OrderIntent> {
    const told$ = merge(
      this.verdicts$,
      this.orders$,
      this.fills$,
      this.halts$,
      this.funding$,
      this.accountEvents$,
    ).pipe(
      tap((told) => {
        this.#write('told', told);
      }),
      ignoreElements(),
    );
    return merge(super.intents(), told$);
  }

  override onCandle(): void {
    const seen = this.instruments.map(({ instrumentId }) => ({
      last: this.last(instrumentId),
      mark: this.markPrice(instrumentId),
      long: this.positionOf(instrumentId, 'long'),
      short: this.positionOf(instrumentId, 'short'),
      working: this.workingOrders(instrumentId),
    }));
    const { now, equity } = this;
    this.#write('seen', { now, equity, cash: this.balanceOf(this.#coin), seen });
    if (seen.some(({ working }) => working.length > 6)) this.flatten();
    else if (Number(equity.toFixed(2).at(-1)) < 9) super.onCandle();
  }

  /** Quote of the first instrument, or its margin asset. */
  get #coin(): string {
    return isInverse(firstOf(this.instruments).instrumentId) ? 'BTC' : 'USDT';
  }

  #write(what: string, value: object): void {
    this.log.info(what, { value: textOf(value) });
  }
}

/** Raises intents only from its streams: candles of every stream, timers and fills through operators. */
export class RandomStream extends Strategy({
  warmup: int(0, 10, 0),
  activity: number(0, 1, 0.6),
  money: number(1, 1e9, 2_000),
}) {
  override readonly warmup = this.parameters.warmup;

  override intents(market: Market): Observable<OrderIntent> {
    const { activity, money } = this.parameters;
    const candles$ = merge(
      ...this.instruments.flatMap(({ instrumentId, intervals }) =>
        intervals.map((interval) => market.candles$(instrumentId, interval)),
      ),
    ).pipe(share());
    const notional = (money / 10).toFixed(2);
    const streak$ = candles$.pipe(
      pairwise(),
      scan((streak, [one, next]) => (next.close > one.close ? streak + 1 : 0), 0),
    );
    const entries$ = candles$.pipe(
      withLatestFrom(streak$),
      filter(([, streak]) => streak > 0 && this.random() < activity * 2),
      map(([{ instrumentId, close }]) =>
        enterLong(
          { notional },
          { instrument: instrumentId, add: true, limitPrice: (close * 1.01).toFixed(3) },
        ),
      ),
    );
    const limits$ = candles$.pipe(
      filter(() => this.random() < activity),
      map(({ instrumentId, low }) =>
        enterLong(
          { equity: '0.1' },
          { instrument: instrumentId, limitPrice: low.toFixed(4), label: 'limit' },
        ),
      ),
    );
    const exits$ = streak$.pipe(
      map((streak) => streak === 0),
      distinctUntilChanged(),
      filter((isOver) => isOver && this.random() < 0.6),
      map(() => exit()),
    );
    const withdrawn$ = candles$.pipe(
      auditTime(400_000),
      map(() => cancel({ label: 'limit' })),
    );
    const flat$ = this.fills$.pipe(
      scan((fills) => fills + 1, 0),
      filter((fills) => fills % 9 === 0),
      delay(20_000),
      map(() => flatten()),
    );
    return merge(entries$, limits$, exits$, withdrawn$, flat$);
  }
}

/** Repeats its wanted position with every candle, mostly the present one, with and without terms and names. */
export class Insisting extends RandomTrader {
  #wantsLong = false;
  #verdicts = 0;

  override onVerdict({ intentId }: Verdict): void {
    this.#verdicts += intentId % 2;
  }

  override onCandle(): void {
    if (this.random() < 0.1) this.#wantsLong = !this.#wantsLong;
    const isMarkedUp = (this.markPrice() ?? 0) > (this.last() ?? 0);
    const intents = Math.floor(this.random() * 4) + (isMarkedUp ? 1 : 0);
    for (let intent = 0; intent < intents; intent += 1) this.lastIntent = this.#insist().intentId;
    // Random intents that may have no effect after the intents just before.
    if (this.random() < 0.1 + (this.#verdicts % 2) / 10) super.onCandle();
  }

  #insist(): OrderHandle {
    const [instrument, direction] = this.#names();
    const size = { notional: '150' };
    if (!this.#wantsLong) {
      const terms = { ...(instrument && { instrument }), ...(direction && { direction }) };
      return this.random() < 0.5 ? this.exit() : this.exit(terms);
    }
    if (this.random() < 0.5) return this.enterLong(size);
    const terms = { ...(instrument && { instrument }), label: 'a', limitPrice: '100' };
    return direction === 'short' && this.position.direction === 'short'
      ? this.enterShort(size, terms)
      : this.enterLong(size, { ...terms, add: this.random() < 0.1 });
  }

  #names(): readonly [string | undefined, Direction | undefined] {
    const { instrumentId } = this.instruments.at(-1) ?? { instrumentId: undefined };
    const name = this.random();
    return [
      name < 0.3 ? undefined : name < 0.6 ? instrumentId : instrumentId?.split(':')[1],
      name < 0.2 ? 'short' : name < 0.5 ? 'long' : undefined,
    ];
  }
}

/** Fails in the middle of a run, by an exception or by its stream. */
export class FailingTrader extends BroadTrader {
  override intents(): Observable<OrderIntent> {
    const broken$ = this.market.candles$().pipe(
      filter(({ close }) => String(close).endsWith('7')),
      map(() => {
        throw new Error('broken stream');
      }),
    );
    return merge(super.intents(), this.random() < 0.5 ? broken$ : EMPTY);
  }

  override onCandle(): void {
    if (this.random() < 0.02) throw new Error('broken handler');
    // One intent more than the limit per event. None of them changes anything if nothing is held.
    if (this.random() < 0.01) for (let intent = 0; intent <= 1_000; intent += 1) this.exit();
    super.onCandle();
  }
}

/** Strategies that raise any intents, each in another way. */
export const RANDOM_STRATEGIES = [
  BroadTrader,
  BroadTrader,
  RandomTimer,
  RandomCrossing,
  RandomIndicators,
  LateListener,
  Insisting,
  Insisting,
  Chronicler,
  RandomStream,
];

function firstOf<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('expected an instrument');
  return first;
}

/** JSON in which exact amounts are their integers. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
}
