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

/** Marks of the same interval, up to two ticks away from the candles. */
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

/** Trades nothing. A run costs only the replay. */
export class NeverTrades extends CandleStrategy({}) {
  override onCandle(): void {
    // An idle candle.
  }
}

/** Trades nothing, with a daily schedule. */
export class NeverTradesDaily extends CandleStrategy({}) {
  days = 0;
  readonly endSchedule = this.every('@daily 00:00', () => {
    this.days += 1;
  });

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

/** Compares the averages only with every thousandth candle: 1,000 candles or more between two orders. */
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
