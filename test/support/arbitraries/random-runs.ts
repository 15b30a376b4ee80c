import fc from 'fast-check';

import type { BacktestConfig, SimulationConfig } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  fixedIntervalMs,
  maxFixed,
  MINUTE_MS,
  parseFixed,
  type CandleColumns,
  type CandleSeries,
  type FeeRates,
  type InstrumentId,
  type Interval,
} from '../../../src/domain/index.js';
import { aBacktestConfig, constantLatency } from '../backtest-config.js';
import { columnsOf, type CandleRow } from '../candle-columns.js';

/** A configuration for any strategy, and candles for it. */
export interface RandomRun {
  readonly config: BacktestConfig;
  readonly series: readonly CandleSeries[];
  /** One-minute candles of pairs that deliver only longer candles. */
  readonly finer: readonly CandleSeries[];
}

/** Number of one-minute candles, from least to most. */
export interface Lengths {
  readonly minLength: number;
  readonly maxLength: number;
  /** Minutes from the start of a day to the first candle. @defaultValue 0 */
  readonly startMinute?: number;
}

/** 2025-01-01T00:00:00Z. */
const START = 1_735_689_600_000;
const TICKS = 100;
const INSTRUMENTS = [
  { instrumentId: createInstrumentId('spot', 'BTCUSDT'), base: 'BTC' },
  { instrumentId: createInstrumentId('spot', 'ETHUSDT'), base: 'ETH' },
] as const;

const fixedOf = (...choices: readonly string[]): fc.Arbitrary<bigint> =>
  fc.constantFrom(...choices.map(parseFixed));

/** One candle: moves in ticks from the previous close, and the number of missing minutes before it. */
const move = fc.record({
  missing: fc.oneof({ weight: 15, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
  gap: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -60, max: 60 })),
  close: fc.integer({ min: -40, max: 40 }),
  above: fc.nat({ max: 40 }),
  below: fc.nat({ max: 40 }),
  /** In thousandths of a coin. */
  volume: fc.oneof(
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 5, arbitrary: fc.nat({ max: 200_000 }) },
    { weight: 1, arbitrary: fc.nat({ max: 50_000_000 }) },
  ),
});

/** Minutes of a price near 100 that moves on a tick of 0.01, with jumps, holes and candles without volume or movement. */
function minutes({ minLength, maxLength, startMinute = 0 }: Lengths): fc.Arbitrary<CandleColumns> {
  return fc.array(move, { minLength, maxLength, size: 'max' }).map((moves) => {
    const rows: CandleRow[] = [];
    let time = START + startMinute * MINUTE_MS;
    let last = 100 * TICKS;
    for (const { missing, gap, close, above, below, volume } of moves) {
      time += missing * MINUTE_MS;
      const open = Math.max(TICKS, last + gap);
      last = Math.max(TICKS, open + close);
      rows.push({
        time,
        open: open / TICKS,
        high: (Math.max(open, last) + above) / TICKS,
        low: Math.max(1, Math.min(open, last) - below) / TICKS,
        close: last / TICKS,
        volume: volume / 1_000,
      });
      time += MINUTE_MS;
    }
    return columnsOf(rows);
  });
}

/** The candles of a longer interval that the minutes form, without an unfinished last candle. */
function inInterval(columns: CandleColumns, interval: Interval): CandleColumns {
  const length = fixedIntervalMs(interval) ?? MINUTE_MS;
  const members = new Map<number, number[]>();
  for (const [row, time] of columns.openTime.entries()) {
    const start = Math.floor(time / length) * length;
    members.set(start, [...(members.get(start) ?? []), row]);
  }
  const end = (columns.openTime.at(-1) ?? 0) + MINUTE_MS;
  return columnsOf(
    [...members]
      .filter(([start]) => start + length <= end)
      .map(([start, rows]) => rowOf(columns, rows, start)),
  );
}

function rowOf(columns: CandleColumns, members: readonly number[], time: number): CandleRow {
  const read = (column: Float64Array): number[] => members.map((row) => column[row] as number);
  return {
    time,
    open: read(columns.open).at(0) ?? 0,
    high: Math.max(...read(columns.high)),
    low: Math.min(...read(columns.low)),
    close: read(columns.close).at(-1) ?? 0,
    volume: read(columns.volume).reduce((sum, volume) => sum + volume, 0),
  };
}

const INTERVALS: readonly (readonly Interval[])[] = [
  ['1min'],
  ['5min'],
  ['1min', '5min'],
  ['5min', '1min'],
];

/** The delivered series of an instrument. `finer` has its one-minute candles if they are not delivered. */
type DrawnSeries = Pick<RandomRun, 'series' | 'finer'>;

function instrumentSeries(
  instrumentId: InstrumentId,
  lengths: Lengths,
  intervals: typeof INTERVALS,
): fc.Arbitrary<DrawnSeries> {
  return fc.tuple(minutes(lengths), fc.constantFrom(...intervals)).map(([columns, names]) => ({
    series: names.map((interval) => ({
      instrumentId,
      interval,
      columns: interval === '1min' ? columns : inInterval(columns, interval),
    })),
    finer: names.includes('1min') ? [] : [{ instrumentId, interval: '1min', columns }],
  }));
}

const stopPoll = fc.constantFrom(1_000, 7_000, 60_000);

const simulations: fc.Arbitrary<Partial<SimulationConfig>> = fc.record({
  fees: fc
    .record({
      maker: fixedOf('0', '0.0008', '-0.0004'),
      taker: fixedOf('0', '0.001', '0.0075'),
      paidIn: fc.constantFrom<FeeRates['paidIn']>('received', 'quote'),
    })
    // A rebate is at most what takers pay.
    .map((fees) => ({ ...fees, taker: maxFixed(fees.taker, -fees.maker) })),
  spreadBps: fixedOf('0', '3', '50'),
  slippage: fc.oneof(
    fc.record({ model: fc.constant('fixed' as const), bps: fixedOf('0', '7') }),
    fc.record({ model: fc.constant('squareRoot' as const), coefficient: fixedOf('0.05') }),
  ),
  participation: fc.oneof(fc.constant('off' as const), fixedOf('0.1', '0.37', '1')),
  fillOnTouch: fc.boolean(),
  remainder: fc.constantFrom('cancel', 'resend'),
  latency: fc.constantFrom(0, 0, 1, 250, 2_500, 70_000).map(constantLatency),
  dataDelayMs: fc.constantFrom(0, 0, 0, 700, 60_000, 90_000),
  updatePollMs: fc.constantFrom(2_000, 2_000, 45_000, 60_000),
  stopPollMs: stopPoll,
  path: fc.constantFrom('nearest', 'high-first', 'low-first'),
  seed: fc.nat(),
});

/** A venue's rules, with some limits and without others. */
export const instrumentRules = fc.record(
  {
    tradable: fc.constant(true),
    pricePrecision: fc.constantFrom(1, 2, 3),
    quantityPrecision: fc.constantFrom(0, 3, 3, 5),
    minOrderMoney: fixedOf('5'),
    minOrderQuantity: fixedOf('0.1'),
    maxMarketQuantity: fixedOf('15'),
    maxLimitQuantity: fixedOf('20'),
    maxWorkingOrders: fc.constantFrom(1, 3),
  },
  { requiredKeys: ['tradable', 'pricePrecision', 'quantityPrecision'] },
);

/** One or two spot pairs with one or two intervals each, an account of USDT and sometimes of coins, and any terms. */
export function randomRuns(
  parameters: fc.Arbitrary<BacktestConfig['strategy']['parameters']>,
  lengths: Lengths = { minLength: 5, maxLength: 100 },
  intervals = INTERVALS,
): fc.Arbitrary<RandomRun> {
  return fc
    .record({
      traded: fc.constantFrom(1, 2),
      series: fc.tuple(
        instrumentSeries(INSTRUMENTS[0].instrumentId, lengths, intervals),
        instrumentSeries(INSTRUMENTS[1].instrumentId, lengths, intervals),
      ),
      rules: fc.tuple(instrumentRules, instrumentRules),
      coins: fc.constantFrom('0', '12.3456789'),
      simulation: simulations,
      parameters,
      tooLarge: fc.constantFrom('refuse', 'clamp', 'split'),
      dust: fc.constantFrom('sweep', 'leave', 'warn'),
    })
    .map(({ traded, series, simulation, parameters: values, ...terms }) => {
      const used = series.slice(0, traded);
      const config = aBacktestConfig({
        instrumentId: INSTRUMENTS[0].instrumentId,
        interval: '1min',
        parameters: values,
        simulation: {
          ...simulation,
          balances: {
            spot: new Map([
              ['USDT', parseFixed('10000')],
              ['BTC', parseFixed(terms.coins)],
            ]),
          },
          rules: new Map(
            INSTRUMENTS.map(({ instrumentId }, index) => [
              instrumentId,
              terms.rules[index] ?? terms.rules[0],
            ]),
          ),
        },
      });
      return {
        config: {
          ...config,
          instruments: INSTRUMENTS.slice(0, traded).map(({ instrumentId, base }, index) => ({
            kind: 'spot' as const,
            instrumentId,
            symbol: `${base}USDT`,
            base,
            quote: 'USDT',
            intervals: (used[index]?.series ?? []).map(({ interval }) => interval),
          })),
          risk: {
            ...config.risk,
            tooLarge: { entries: terms.tooLarge, exits: 'split' as const },
            dust: terms.dust,
          },
        },
        series: used.flatMap(({ series: own }) => own),
        finer: used.flatMap(({ finer }) => finer),
      };
    });
}
