import type { BacktestConfig } from '../../../src/assembly/index.js';
import type { Archive } from '../../../src/archive/index.js';
import {
  columnsOfCandles,
  createInstrumentId,
  FIXED_ONE,
  MINUTE_MS,
  parseFixed,
  type Candle,
  type CandleColumns,
  type CandleSeries,
  type EpochMs,
} from '../../../src/domain/index.js';
import { createRandom } from '../../../src/engine/random.js';
import { aBacktestConfig } from '../backtest-config.js';
import { createMemoryArchive } from '../memory-archive.js';
import { BTC } from '../replay.js';

/** A market in which every number identifies its time. */
export interface ReachMarket {
  readonly config: BacktestConfig;
  readonly archive: Archive;
  /** When the first candle opens. */
  readonly start: EpochMs;
  /** Every number of the market, with the time from which it is known. */
  readonly numbers: readonly { readonly knownAt: EpochMs; readonly value: number }[];
}

const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');
const START = Date.UTC(2025, 0, 1, 6, 0);
const ROWS = 320;

/** One pair: its candles pass in batches. */
export function createOneSeries(): ReachMarket {
  const config = aBacktestConfig({ instrumentId: BTC, interval: '1min' });
  const candles = [{ instrumentId: BTC, interval: '1min', columns: drawColumns(1) }] as const;
  return createMarket({ ...config, simulation: withFunds(config) }, candles, {});
}

/** A pair of two intervals and a contract with marks and funding: their candles pass in slices. */
export function createSeveralSeries(): ReachMarket {
  const config = aBacktestConfig({ instrumentId: BTC, interval: '1min' });
  const minutes = drawColumns(2);
  const candles: readonly CandleSeries[] = [
    { instrumentId: BTC, interval: '1min', columns: minutes },
    { instrumentId: BTC, interval: '5min', columns: everyFifth(minutes) },
    { instrumentId: CONTRACT, interval: '1min', columns: drawColumns(3) },
  ];
  const marks: readonly CandleSeries[] = [
    { instrumentId: CONTRACT, interval: '1min', columns: drawColumns(4) },
  ];
  const [pair] = config.instruments;
  if (pair === undefined) throw new Error('expected a pair');
  const { simulation } = config;
  return createMarket(
    {
      ...config,
      instruments: [
        { ...pair, intervals: ['1min', '5min'] },
        {
          kind: 'futures',
          instrumentId: CONTRACT,
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
        ...withFunds(config),
        rules: new Map([
          ...simulation.rules,
          [CONTRACT, { tradable: true, pricePrecision: 2, quantityPrecision: 0 }],
        ]),
        futures: {
          ...simulation.futures,
          tiers: new Map([
            [
              CONTRACT,
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
    },
    candles,
    { marks },
  );
}

function withFunds({ simulation }: BacktestConfig): BacktestConfig['simulation'] {
  const usdt = new Map([['USDT', parseFixed('1000000')]]);
  return { ...simulation, balances: { spot: usdt, futures: usdt } };
}

function createMarket(
  config: BacktestConfig,
  candles: readonly CandleSeries[],
  { marks = [] }: { readonly marks?: readonly CandleSeries[] },
): ReachMarket {
  // The contract settles while the run lasts.
  const settled = START + 120 * MINUTE_MS;
  const rates = [0.000_123_1, 0.000_456_7];
  const funding = {
    time: Float64Array.of(settled, settled + 120 * MINUTE_MS),
    rate: Float64Array.from(rates),
  };
  const stepOf = ({ interval }: CandleSeries): number => (interval === '5min' ? 5 : 1) * MINUTE_MS;
  const ofCandles = candles.flatMap((series) => numbersOf(series.columns, stepOf(series)));
  const ofMarks = marks.flatMap(({ columns }) => numbersOf(columns, 0));
  const ofFunding = rates.map((value, row) => ({ knownAt: funding.time[row] ?? 0, value }));
  return {
    config,
    archive: createMemoryArchive(candles, { marks, funding: new Map([[CONTRACT, funding]]) }),
    start: START,
    numbers: [...ofCandles, ...ofMarks, ...(marks.length > 0 ? ofFunding : [])],
  };
}

/** The candle of a row of the first series. */
export function candleAt({ start, numbers }: ReachMarket, row: number): Candle {
  const openTime = start + row * MINUTE_MS;
  const at = (place: number): number => numbers[row * 6 + place]?.value ?? Number.NaN;
  return {
    instrumentId: BTC,
    interval: '1min',
    openTime,
    closeTime: openTime + MINUTE_MS,
    open: at(1),
    high: at(2),
    low: at(3),
    close: at(4),
    volume: at(5),
  };
}

/** Numbers of candles. The open time is known when a candle opens; the other numbers are known `knownAfter` ms later. */
function numbersOf(columns: CandleColumns, knownAfter: number): ReachMarket['numbers'] {
  const { openTime, open, high, low, close, volume } = columns;
  return [...openTime].flatMap((time, row) => [
    { knownAt: time, value: time },
    ...[open, high, low, close, volume].map((column) => ({
      knownAt: time + knownAfter,
      value: column[row] ?? Number.NaN,
    })),
  ]);
}

/** Candles whose numbers hardly any other candle has. */
function drawColumns(seed: number): CandleColumns {
  const random = createRandom(seed);
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const prices = Array.from({ length: 4 }, () => Math.round(2_000_000 + 80_000 * random()) / 100);
    const [low = 0, open = 0, close = 0, high = 0] = prices.sort((a, b) => a - b);
    const [first, last] = random() < 0.5 ? [open, close] : [close, open];
    const volume = Math.round(1e9 * (1 + random())) / 1e5;
    return { openTime: START + row * MINUTE_MS, open: first, high, low, close: last, volume };
  });
  return columnsOfCandles(rows);
}

function everyFifth({ openTime, open, high, low, close, volume }: CandleColumns): CandleColumns {
  const rows = Array.from({ length: Math.floor(openTime.length / 5) }, (_, index) => {
    const row = index * 5;
    const of = (column: Float64Array): readonly number[] => [...column.slice(row, row + 5)];
    return {
      openTime: openTime[row] ?? 0,
      open: open[row] ?? 0,
      high: Math.max(...of(high)),
      low: Math.min(...of(low)),
      close: close[row + 4] ?? 0,
      volume: Math.round(1e5 * of(volume).reduce((sum, each) => sum + each, 0)) / 1e5,
    };
  });
  return columnsOfCandles(rows);
}
