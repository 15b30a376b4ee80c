import { asyncScheduler, interval } from 'rxjs';

import { MINUTE_MS, type Candle } from '../../../src/domain/index.js';
import {
  adx,
  atr,
  bollinger,
  CandleStrategy,
  cci,
  donchian,
  ema,
  highest,
  kama,
  lowest,
  macd,
  mfi,
  obv,
  roc,
  rsi,
  sma,
  standardDeviation,
  stochastic,
  supertrend,
  trueRange,
  vwap,
  wma,
  type AnyIndicator,
  type CandleDrivenStrategy,
  type StrategyClass,
  type StrategyContext,
} from '../../../src/strategy/index.js';
import type { ReachMarket } from './markets.js';
import { Reach, type Leak } from './reach.js';

/** Ends a run in which everything was walked, because the calls may have changed any state. */
export class Walked extends Error {}

/** Every kind of indicator, some of them twice with another source or period. */
const createIndicators = (): readonly AnyIndicator[] => [
  sma(5),
  sma(12, 'hl2'),
  wma(7),
  ema(6),
  kama(8),
  rsi(9),
  atr(6),
  bollinger(9),
  cci(8),
  macd({ fast: 3, slow: 7, signal: 4 }),
  mfi(7),
  obv(),
  roc(4),
  standardDeviation(10),
  stochastic({ period: 6 }),
  supertrend(5),
  trueRange(),
  vwap(9),
];

/** Indicators whose next value can follow from known candles, if an old candle leaves the window or nothing has moved. */
const createPrecomputable = (): readonly AnyIndicator[] => [
  adx(5),
  donchian(10),
  highest(11),
  lowest(11, 'close'),
];

/** Shared state of two runs on one market. The first run records what is known at each candle; the second is walked. */
export class ReachSession {
  readonly market: ReachMarket;
  /** Numbers shown by indicators with each candle of the first run. */
  readonly shown: (readonly number[])[] = [];
  /** Candles of the run under way. */
  candles = 0;
  isWalking = false;
  /** Number of candles after which everything is walked. */
  readonly walkAfter: number;
  walked: Reached | undefined;

  constructor(market: ReachMarket, walkAfter: number) {
    this.market = market;
    this.walkAfter = walkAfter;
  }

  walk(roots: Readonly<Record<string, unknown>>, candle: Candle): void {
    this.walked = walkFrom(roots, candle, this.market, {
      known: this.shown.slice(0, this.candles).flat(),
      later: this.shown.slice(this.candles).flat(),
    });
  }
}

/** The result of a walk. */
export interface Reached {
  readonly leaks: readonly Leak[];
  readonly objects: number;
}

/** Walks from some objects at the close of a candle. `shown`: numbers of the indicators up to then, and later ones. */
export function walkFrom(
  roots: Readonly<Record<string, unknown>>,
  candle: Candle,
  { numbers, start }: ReachMarket,
  shown: { readonly known: readonly number[]; readonly later: readonly number[] } = {
    known: [],
    later: [],
  },
): Reached {
  const known = new Set(shown.known);
  const later = new Set(shown.later);
  for (const { knownAt, value } of numbers) (knownAt > candle.closeTime ? later : known).add(value);
  const row = (candle.openTime - start) / MINUTE_MS;
  const reach = new Reach({
    isLater: (value) => later.has(value) && !known.has(value),
    argumentLists: [
      [],
      ...[0, 1, row, row + 1, row + 2].map((each) => [each]),
      [candle],
      [row + 2, candle],
    ],
    // A call with arbitrary arguments would leave it in the state of flushing for ever.
    leftOut: [asyncScheduler],
  });
  const leaks = reach.walk(roots);
  return { leaks, objects: reach.objects };
}

/** A strategy that keeps every object it receives, trades now and then, and starts one walk over everything. */
export function createReader(session: ReachSession): StrategyClass {
  return class Reader extends CandleStrategy({}) {
    readonly context: StrategyContext;
    readonly all = this.#attach(createIndicators);
    readonly precomputable = this.#attach(createPrecomputable);
    readonly kept: Record<string, unknown> = {};

    constructor(context: StrategyContext) {
      super(context);
      this.context = context;
      session.candles = 0;
    }

    override intents(): ReturnType<CandleDrivenStrategy<unknown>['intents']> {
      const { market } = this;
      const keep = (name: string) => (value: unknown) => void (this.kept[name] = value);
      Object.assign(this.kept, {
        market,
        candles: market.candles$().subscribe(keep('candle')),
        slices: market.slices$.subscribe(keep('slice')),
        orders: this.orders$.subscribe(keep('order')),
        fills: this.fills$.subscribe(keep('fill')),
        verdicts: this.verdicts$.subscribe(keep('verdict')),
        // Due after the end of the run. A timer within the run would split its batches.
        timer: asyncScheduler.schedule(() => undefined, 600_000_007),
        interval: interval(700_000_003).subscribe(),
      });
      for (const { instrumentId } of this.instruments)
        if (instrumentId.startsWith('futures'))
          this.kept['marks'] = market.marks$(instrumentId).subscribe(keep('mark'));
      return super.intents();
    }

    override onCandle(candle: Candle): void {
      if (session.isWalking && session.candles + 1 > session.walkAfter) return;
      session.candles += 1;
      if (!session.isWalking) session.shown.push(this.all.flatMap(numbersShownBy));
      this.#trade();
      if (!session.isWalking || session.candles !== session.walkAfter) return;
      session.walk({ strategy: this, candle, ...this.#read() }, candle);
      throw new Walked('walked');
    }

    #attach(create: () => readonly AnyIndicator[]): readonly AnyIndicator[] {
      return this.instruments.flatMap(({ instrumentId: instrument, intervals }) =>
        intervals.flatMap((each) =>
          create().map((indicator) => this.indicator(indicator, { instrument, interval: each })),
        ),
      );
    }

    #trade(): void {
      const turn = session.candles % 20;
      if (turn === 3) this.enterLong({ quantity: '0.01' });
      if (turn === 5)
        this.enterLong({ quantity: '0.02' }, { add: true, limitPrice: '15000', label: 'rests' });
      if (turn === 13) this.exit();
    }

    /** Values that are created on each read. */
    #read(): Readonly<Record<string, unknown>> {
      const ids = this.instruments.map(({ instrumentId }) => instrumentId);
      return {
        positions: ids.map((id) => this.positionOf(id)),
        last: ids.map((id) => [this.last(id), this.markPrice(id)]),
        working: this.workingOrders(),
        balance: this.balanceOf('USDT'),
        now: this.now,
      };
    }
  };
}

/** The numbers of an indicator's own lines. */
function numbersShownBy(indicator: AnyIndicator): readonly number[] {
  return Object.values(indicator).flatMap((shown: unknown) => {
    const line = shown as { readonly value?: unknown } | null;
    const value = typeof shown === 'object' ? line?.value : shown;
    return typeof value === 'number' && !Number.isInteger(value) ? [value] : [];
  });
}
