/**
 * The reference work of the benchmarks: long while SMA(10) > SMA(30), else flat, quantity 1, cash 10,000,000, one-minute candles of a
 * seeded random walk (start 20,000, tick 0.01), orders at the next open, fee 0.1 % in quote.
 */
import { distinctUntilChanged, map, type Observable } from 'rxjs';

import type { BacktestConfig } from '../../src/assembly/index.js';
import {
  createInstrumentId,
  FIXED_ONE,
  HOUR_MS,
  parseFixed,
  type CandleColumns,
  type FundingColumns,
  type OrderIntent,
} from '../../src/domain/index.js';
import {
  CandleStrategy,
  enterLong,
  exit,
  sma,
  Strategy,
  type Market,
} from '../../src/strategy/index.js';
import { aBacktestConfig } from '../support/backtest-config.js';

export const REFERENCE_ID = createInstrumentId('spot', 'BTCUSDT');
export const CONTRACT_ID = createInstrumentId('futures', 'E-BTC-USDT');
const MINUTE = 60_000;
const FUNDING_MS = 8 * HOUR_MS;

/** A 32-bit generator, good enough for a walk and the same everywhere. */
function createWalk(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Makes `rows` candles on the tick grid, each opening at the close before it. */
export function createReferenceCandles(rows: number, seed = 7): CandleColumns {
  const random = createWalk(seed);
  const column = (): Float64Array => new Float64Array(rows);
  const columns = {
    openTime: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  let ticks = 2_000_000;
  for (let row = 0; row < rows; row += 1) {
    const open = ticks;
    const move = Math.round((random() + random() + random() - 1.5) * 2_000);
    const close = Math.max(100_000, open + move);
    const high = Math.max(open, close) + Math.floor(random() * 500);
    const low = Math.min(open, close) - Math.floor(random() * 500);
    columns.openTime[row] = 1_600_000_020_000 - (1_600_000_020_000 % MINUTE) + row * MINUTE;
    columns.open[row] = open / 100;
    columns.high[row] = high / 100;
    columns.low[row] = low / 100;
    columns.close[row] = close / 100;
    columns.volume[row] = Math.round(random() * 10_000) / 100 + 1;
    ticks = close;
  }
  return columns;
}

/** Marks of the same interval, up to two ticks beside the candles. */
export function createReferenceMarks(columns: CandleColumns, seed = 11): CandleColumns {
  const random = createWalk(seed);
  const beside = (prices: Float64Array): Float64Array =>
    prices.map((price) => Math.round(price * 100 + (random() - 0.5) * 4) / 100);
  const marks = { openTime: columns.openTime, volume: columns.volume.map(() => 0) };
  const open = beside(columns.open);
  const close = beside(columns.close);
  const high = beside(columns.high).map((price, row) =>
    Math.max(price, open[row] ?? price, close[row] ?? price),
  );
  const low = beside(columns.low).map((price, row) =>
    Math.min(price, open[row] ?? price, close[row] ?? price),
  );
  return { ...marks, open, high, low, close };
}

/** Funding every 8 hours over the time of the candles, between −0.01 % and 0.03 %. */
export function createReferenceFunding({ openTime }: CandleColumns, seed = 13): FundingColumns {
  const random = createWalk(seed);
  const first = Math.ceil((openTime[0] ?? 0) / FUNDING_MS) * FUNDING_MS;
  const count = Math.max(0, Math.floor(((openTime.at(-1) ?? 0) - first) / FUNDING_MS) + 1);
  return {
    time: Float64Array.from({ length: count }, (_, row) => first + row * FUNDING_MS),
    rate: Float64Array.from({ length: count }, () => Math.round(random() * 4 - 1) / 10_000),
  };
}

/** Trades nothing: what is left of a run is the replay. */
export class NeverTrades extends CandleStrategy({}) {
  override onCandle(): void {
    // An idle candle.
  }
}

/** {@link LongWhileAbove} with 1,000 contracts of 0.001. */
export class LongContractsWhileAbove extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));

  override onCandle(): void {
    if (this.fast.value > this.slow.value) this.enterLong({ quantity: '1000' });
    else this.exit();
  }
}

/** The reference strategy in candle style. */
export class LongWhileAbove extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));

  override onCandle(): void {
    if (this.fast.value > this.slow.value) this.enterLong({ quantity: '1' });
    else this.exit();
  }
}

/** The reference strategy in RxJS style, by three operators. */
export class LongWhileAboveStreamed extends Strategy({}) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));

  override intents(market: Market): Observable<OrderIntent> {
    return market.candles$().pipe(
      map(() => this.fast.value > this.slow.value),
      distinctUntilChanged(),
      map((isAbove) => (isAbove ? enterLong({ quantity: '1' }) : exit())),
    );
  }
}

/** Looks at the averages with every thousandth candle only: 1,000 candles or more between two orders. */
export class SeldomLongWhileAbove extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));
  #candles = 0;

  override onCandle(): void {
    this.#candles += 1;
    if (this.#candles % 1_000 !== 0) return;
    if (this.fast.value > this.slow.value) this.enterLong({ quantity: '1' });
    else this.exit();
  }
}

/** {@link SeldomLongWhileAbove} with 1,000 contracts of 0.001. */
export class SeldomLongContractsWhileAbove extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));
  #candles = 0;

  override onCandle(): void {
    this.#candles += 1;
    if (this.#candles % 1_000 !== 0) return;
    if (this.fast.value > this.slow.value) this.enterLong({ quantity: '1000' });
    else this.exit();
  }
}

/** What is done by hand: no engine, no risk, float64 money. */
export interface HandWork {
  readonly fast: number;
  readonly slow: number;
  /** The averages are looked at with each candle of so many, from the first that has both. @defaultValue 1 */
  readonly every?: number;
}

const REFERENCE_WORK: HandWork = { fast: 10, slow: 30 };

/** Trades the averages by hand. Returns final cash and fills, so that nothing is optimized away. */
export function runByHand(
  { open, close }: CandleColumns,
  { fast: fastPeriod, slow: slowPeriod, every = 1 }: HandWork = REFERENCE_WORK,
): HandResult {
  let cash = 10_000_000;
  let held = false;
  let fills = 0;
  let fast = 0;
  let slow = 0;
  let untilLook = every;
  for (let row = 0; row + 1 < close.length; row += 1) {
    fast += close[row] as number;
    slow += close[row] as number;
    if (row >= fastPeriod) fast -= close[row - fastPeriod] as number;
    if (row >= slowPeriod) slow -= close[row - slowPeriod] as number;
    if (row < slowPeriod - 1) continue;
    untilLook -= 1;
    if (untilLook > 0) continue;
    untilLook = every;
    const isAbove = fast / fastPeriod > slow / slowPeriod;
    if (isAbove === held) continue;
    const price = open[row + 1] as number;
    cash += (held ? price : -price) - price * 0.001;
    held = isAbove;
    fills += 1;
  }
  return { cash, fills };
}

export interface HandResult {
  readonly cash: number;
  readonly fills: number;
  /** At the end, where it is kept. */
  readonly equity?: number;
  /** Orders, where they are others than the fills. */
  readonly orders?: number;
  readonly refusals?: number;
}

/** Does by hand what is left of a run that trades nothing: each candle has come, and equity with it. */
export function idleByHand({ close }: CandleColumns): HandResult {
  let [cash, highest] = [10_000_000, 0];
  for (let row = 0; row < close.length; row += 1) {
    const equity = cash + 0 * (close[row] as number);
    if (equity > highest) highest = equity;
  }
  cash = highest;
  return { cash, fills: 0 };
}

/**
 * {@link runByHand} on contracts of 0.001, 1,000 each: equity at the mark of each candle, and funding at its boundaries while they are held.
 *
 * `trades`: false to hold nothing, as a strategy that never trades.
 */
export function runContractsByHand(
  { openTime, open, close }: CandleColumns,
  marks: CandleColumns,
  funding: FundingColumns,
  { fast: fastPeriod, slow: slowPeriod, every = 1 }: HandWork = REFERENCE_WORK,
  trades = true,
): HandResult {
  let cash = 10_000_000;
  let entry = 0;
  let held = false;
  let [fills, fast, slow, settled, highest] = [0, 0, 0, 0, 0];
  let untilLook = every;
  for (let row = 0; row + 1 < close.length; row += 1) {
    const mark = marks.close[row] as number;
    const equity = held ? cash + mark - entry : cash;
    if (equity > highest) highest = equity;
    while ((funding.time[settled] ?? Infinity) <= (openTime[row] as number)) {
      if (held) cash -= (marks.open[row] as number) * (funding.rate[settled] as number);
      settled += 1;
    }
    if (!trades) continue;
    fast += close[row] as number;
    slow += close[row] as number;
    if (row >= fastPeriod) fast -= close[row - fastPeriod] as number;
    if (row >= slowPeriod) slow -= close[row - slowPeriod] as number;
    if (row < slowPeriod - 1) continue;
    untilLook -= 1;
    if (untilLook > 0) continue;
    untilLook = every;
    const isAbove = fast / fastPeriod > slow / slowPeriod;
    if (isAbove === held) continue;
    const price = open[row + 1] as number;
    cash -= price * 0.001;
    if (held) cash += price - entry;
    entry = price;
    held = isAbove;
    fills += 1;
  }
  return { cash: cash + highest, fills };
}

export function createReferenceConfig(): BacktestConfig {
  return aBacktestConfig({
    instrumentId: REFERENCE_ID,
    interval: '1min',
    simulation: {
      balances: { spot: new Map([['USDT', parseFixed('10000000')]]) },
      fees: { maker: parseFixed('0.001'), taker: parseFixed('0.001'), paidIn: 'quote' },
    },
  });
}

/** The same money on a linear contract: 0.001 each, 5 times in cross margin, marks and funding stored. */
export function createContractConfig(): BacktestConfig {
  const { simulation, ...config } = createReferenceConfig();
  return {
    ...config,
    instruments: [
      {
        kind: 'futures',
        instrumentId: CONTRACT_ID,
        symbol: 'E-BTC-USDT',
        base: 'BTC',
        quote: 'USDT',
        intervals: ['1min'],
        contract: 'linear',
        multiplier: parseFixed('0.001'),
        leverage: 5n * FIXED_ONE,
        marginMode: 'cross',
      },
    ],
    simulation: {
      ...simulation,
      balances: { futures: new Map([['USDT', parseFixed('10000000')]]) },
      rules: new Map([[CONTRACT_ID, { tradable: true, pricePrecision: 2, quantityPrecision: 0 }]]),
      futures: {
        ...simulation.futures,
        tiers: new Map([
          [
            CONTRACT_ID,
            [
              {
                from: 0,
                tiers: [
                  {
                    maxValue: undefined,
                    maxLeverage: 100n * FIXED_ONE,
                    keepRate: parseFixed('0.005'),
                  },
                ],
              },
            ],
          ],
        ]),
      },
    },
  };
}
