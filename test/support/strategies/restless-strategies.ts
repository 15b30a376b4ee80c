import {
  bufferTime,
  combineLatest,
  debounceTime,
  defer,
  filter,
  interval,
  map,
  merge,
  mergeMap,
  of,
  startWith,
  switchMap,
  throttleTime,
  timer,
  withLatestFrom,
  type Observable,
} from 'rxjs';
import {
  cancel,
  enterLong,
  exit,
  replace,
  type EntryTerms,
  type Order,
  type OrderIntent,
  type OrderReference,
} from 'evenkeel';
import type { StrategyClass } from '../../../src/strategy/index.js';
import { BroadTrader } from './random-strategies.js';
import { decimalText, isInverse } from './random-trader.js';

/** An order that the strategy keeps near the market. */
interface Quote {
  readonly instrument: string;
  readonly isEntry: boolean;
}

/** Keeps an order on each side of each instrument, and moves both with every event: by `replace`, or by a cancel and a new order. */
export class Quoter extends BroadTrader {
  readonly #quotes = new Map<string, number>();

  override onCandle(): void {
    const times = Math.floor(this.random() * 4);
    for (let time = 0; time < times; time += 1)
      for (const { instrumentId } of this.instruments) this.#move(instrumentId);
    if (this.random() < this.parameters.activity / 4) super.onCandle();
  }

  override onFill(): void {
    // Rare enough that chains of replies to fills end.
    if (this.random() < 0.4) this.#move(this.pick(this.instruments).instrumentId);
  }

  override onOrder({ instrumentId }: Order): void {
    if (this.random() < 0.15) this.#move(instrumentId);
  }

  #move(instrument: string): void {
    for (const isEntry of [true, false]) {
      const way = this.random();
      const quote = { instrument, isEntry };
      if (way < 0.6) this.#replace(quote);
      else if (way < 0.9) this.#placeAnew(quote);
    }
  }

  #replace(quote: Quote): void {
    const known = this.#quotes.get(this.#labelOf(quote));
    if (known === undefined) {
      this.#place(quote);
      return;
    }
    const limitPrice = this.near(quote.instrument);
    const quantity = this.#quantity(quote);
    const by: OrderReference =
      this.random() < 0.5 ? { intentId: known } : { label: this.#labelOf(quote) };
    const drawn = this.random();
    if (drawn < 0.5) this.replace(by, { limitPrice });
    else if (drawn < 0.7) this.replace(by, { quantity });
    else this.replace(by, { limitPrice, quantity });
    if (this.random() < 0.2) this.#place(quote);
  }

  #placeAnew(quote: Quote): void {
    this.cancel({ label: this.#labelOf(quote) });
    this.#place(quote);
  }

  #place(quote: Quote): void {
    const { instrument, isEntry } = quote;
    const terms = { instrument, label: this.#labelOf(quote), ...this.limit(instrument) };
    const size = { quantity: this.#quantity(quote) };
    const short = !instrument.startsWith('spot') && this.random() < 0.3;
    const handle = isEntry
      ? this[short ? 'enterShort' : 'enterLong'](size, { ...terms, ...this.#entryTerms() })
      : this.exit({ ...terms, ...(this.random() < 0.6 && { size }) });
    this.#quotes.set(this.#labelOf(quote), handle.intentId);
  }

  #entryTerms(): EntryTerms {
    const drawn = this.random();
    return {
      add: this.random() < 0.7,
      ...(drawn < 0.1 && { expireAfter: '100s' }),
      ...(drawn > 0.9 && { work: { chase: { every: '5s', maxBps: '30' } } }),
      ...(drawn > 0.8 &&
        drawn < 0.9 && {
          bracket: { stopLoss: { ratio: '0.004' }, takeProfit: { ratio: '0.004' } },
        }),
      ...(drawn > 0.7 && drawn < 0.8 && { protection: { stopLoss: { ratio: '0.004' } } }),
      ...(drawn > 0.6 && drawn < 0.7 && { oco: 'quotes' }),
    };
  }

  #quantity({ instrument }: Quote): string {
    return String(
      decimalText((0.1 + (this.random() * this.parameters.money) / 4) / this.lastOf(instrument), 6),
    );
  }

  #labelOf({ instrument, isEntry }: Quote): string {
    return `${isEntry ? 'bid' : 'ask'} ${instrument}`;
  }
}

/** Trades by operators of time: debounced candles, two intervals together, timers that start anew with each candle or fill. */
export class Operated extends BroadTrader {
  override intents(): Observable<OrderIntent> {
    const { market } = this;
    const candles$ = merge(
      ...this.instruments.flatMap(({ instrumentId, intervals }) =>
        intervals.map((interval) => market.candles$(instrumentId, interval)),
      ),
    );
    const closes$ = merge(
      ...this.instruments.map(({ instrumentId }) => market.candles$(instrumentId)),
    );
    const often$ = (intents$: Observable<OrderIntent>): Observable<OrderIntent> =>
      intents$.pipe(filter(() => this.random() < this.parameters.activity));
    const debounced$ = candles$.pipe(
      debounceTime(20_000),
      map(({ instrumentId }) => this.#bid(instrumentId, 'debounced')),
    );
    const minute$ = candles$.pipe(
      debounceTime(60_000),
      map(() => exit({ instrument: this.#any() })),
    );
    const both$ = combineLatest([interval(45_000), interval(70_000).pipe(startWith(-1))]).pipe(
      mergeMap(([one, other]) =>
        (one + other) % 3 === 0
          ? of(cancel({ label: 'both' }), this.#bid(this.#any(), 'both'))
          : of(replace({ label: 'both' }, { limitPrice: this.near(this.#any()) })),
      ),
    );
    const timers$ = closes$.pipe(
      switchMap(({ instrumentId }) =>
        timer(7_000, 26_000).pipe(map(() => this.#bid(instrumentId, 'timers'))),
      ),
    );
    const calm$ = candles$.pipe(
      throttleTime(150_000, undefined, { leading: false, trailing: true }),
      map(({ instrumentId }) => exit({ instrument: instrumentId, cancelEntries: true })),
    );
    const buffered$ = this.fills$.pipe(
      bufferTime(50_000),
      filter((fills) => fills.length > 1),
      map(() => cancel({ label: 'timers' })),
    );
    const first$ = defer(() => timer(0)).pipe(
      withLatestFrom(closes$.pipe(startWith(undefined))),
      map(() => this.#bid(this.#any(), 'first')),
    );
    return merge(
      super.intents(),
      ...[debounced$, minute$, both$, timers$, calm$, buffered$, first$].map(often$),
    );
  }

  override onCandle(): void {
    if (this.random() < 0.2) super.onCandle();
  }

  #any(): string {
    return this.pick(this.instruments).instrumentId;
  }

  #bid(instrument: string, label: string): OrderIntent {
    const limits = isInverse(instrument) || this.random() < 0.7;
    return enterLong(
      { notional: decimalText(this.random() * this.parameters.money) },
      { instrument, label, add: this.random() < 0.6, ...(limits && this.limit(instrument)) },
    );
  }
}

export const RESTLESS_STRATEGIES: readonly StrategyClass[] = [Quoter, Quoter, Operated];
