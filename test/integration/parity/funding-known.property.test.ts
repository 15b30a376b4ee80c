import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runParity, type BacktestConfig } from '../../../src/assembly/index.js';
import { systemTime } from '../../../src/engine/system-time.js';
import {
  createInstrumentId,
  FIXED_ONE,
  fixedToNumber,
  FUNDING_RATES_KNOWN,
  HOUR_MS,
  MINUTE_MS,
  type Candle,
  type CandleColumns,
  type FundingPayment,
  type FundingRateKnown,
} from '../../../src/domain/index.js';
import { CandleStrategy, type StrategyClass } from '../../../src/strategy/index.js';
import { aBacktestConfig, constantLatency } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');
const START = Date.UTC(2026, 0, 1);
const RUNS = process.env['EVENKEEL_LONG'] === '1' ? 300 : 4;

interface Case {
  readonly hours: number;
  readonly intervalMinutes: 15 | 60;
  /** Settlements: minutes from the start, and the rate. */
  readonly settled: readonly (readonly [minute: number, rate: number])[];
  readonly known: FundingRateKnown;
  readonly isLong: boolean;
  readonly dataDelayMs: number;
  readonly latencyMs: number;
}

/** Settlements every 4 or 8 hours, some missing and some an hour off. They begin at the start or later, and end at or before the end of the run. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    hours: fc.integer({ min: 12, max: 30 }),
    intervalMinutes: fc.constantFrom(15 as const, 60 as const),
    period: fc.constantFrom(4, 8),
    off: fc.array(fc.constantFrom(0, 0, 0, 0, 1, -1), { minLength: 12, maxLength: 12 }),
    kept: fc.array(fc.constantFrom(true, true, true, false), { minLength: 12, maxLength: 12 }),
    rates: fc.array(
      fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -99_999, max: 99_999 }) }, fc.constant(0)),
      { minLength: 12, maxLength: 12 },
    ),
    known: fc.constantFrom(...FUNDING_RATES_KNOWN),
    isLong: fc.boolean(),
    dataDelayMs: fc.constantFrom(0, 0, 1_500),
    latencyMs: fc.constantFrom(0, 80, 61_000),
  })
  .map(({ period, off, kept, rates, ...others }) => ({
    ...others,
    settled: off.flatMap((hoursOff, index): readonly (readonly [number, number])[] => {
      const minute = (index * period + hoursOff) * 60;
      return kept[index] === true && minute >= 0 ? [[minute, (rates[index] ?? 0) / 1e8]] : [];
    }),
  }));

function candlesOf({ hours, intervalMinutes }: Case, base: number): CandleColumns {
  const count = (hours * 60) / intervalMinutes;
  const price = (row: number): number => base + ((row * 7) % 11) + (row % 4) / 4;
  return columnsOf(
    Array.from({ length: count }, (_, row) => {
      const [open, close] = [price(row), price(row + 1)];
      const [high, low] = [Math.max(open, close) + 1, Math.min(open, close) - 1];
      const time = START + row * intervalMinutes * MINUTE_MS;
      return { time, open, high, low, close, volume: 1_000 };
    }),
  );
}

function configOf({ intervalMinutes, known, hours, dataDelayMs, latencyMs }: Case): BacktestConfig {
  const interval = intervalMinutes === 15 ? '15min' : '1h';
  const config = aBacktestConfig({ instrumentId: CONTRACT, interval });
  const { simulation } = config;
  return {
    ...config,
    equityCurrency: 'USDT',
    instruments: [
      {
        ...({ kind: 'futures', instrumentId: CONTRACT, symbol: 'E-BTC-USDT' } as const),
        ...({ base: 'BTC', quote: 'USDT', intervals: [interval], contract: 'linear' } as const),
        ...({ multiplier: FIXED_ONE, leverage: FIXED_ONE, marginMode: 'cross' } as const),
      },
    ],
    simulation: {
      ...simulation,
      to: START + hours * HOUR_MS,
      balances: { futures: new Map([['USDT', 10_000n * FIXED_ONE]]) },
      rules: new Map([[CONTRACT, { tradable: true, pricePrecision: 2, quantityPrecision: 0 }]]),
      futures: { ...simulation.futures, fundingRateKnown: known },
      dataDelayMs,
      latency: constantLatency(latencyMs),
    },
  };
}

/** The rates that a bot saw, and its payments. */
interface Noted {
  readonly shown: { readonly time: number; readonly rate: number | undefined }[];
  readonly paid: { readonly time: number; readonly rate: number }[];
}

/** Holds a contract from the first candle on, and notes the rate with each candle. Each instance has its own notes. */
function holder({ isLong }: Case, noted: Noted[]): StrategyClass {
  return class Holder extends CandleStrategy({}) {
    readonly #noted: Noted = { shown: [], paid: [] };

    constructor(context: ConstructorParameters<StrategyClass>[0]) {
      super(context);
      noted.push(this.#noted);
    }

    override onCandle({ closeTime }: Candle): void {
      this.#noted.shown.push({ time: closeTime, rate: this.fundingRate() });
      if (isLong) this.enterLong({ quantity: '10' });
      else this.enterShort({ quantity: '10' });
    }

    override onFunding({ record: { eventTime, rate } }: FundingPayment): void {
      this.#noted.paid.push({ time: eventTime, rate: fixedToNumber(rate) });
    }
  };
}

/** Runs a case as a backtest and over HTTP. Returns the notes of the backtest's bot. */
async function play(drawn: Case): Promise<Noted> {
  const interval = drawn.intervalMinutes === 15 ? '15min' : '1h';
  const noted: Noted[] = [];
  const { report, notes } = await runParity({
    config: configOf(drawn),
    strategyClass: holder(drawn, noted),
    sourceHash: 'funding-known',
    archive: createMemoryArchive(
      [{ instrumentId: CONTRACT, interval, columns: candlesOf(drawn, 200) }],
      {
        marks: [{ instrumentId: CONTRACT, interval, columns: candlesOf(drawn, 190) }],
        funding: new Map([
          [
            CONTRACT,
            {
              time: Float64Array.from(drawn.settled, ([minute]) => START + minute * MINUTE_MS),
              rate: Float64Array.from(drawn.settled, ([, rate]) => rate),
            },
          ],
        ]),
        volumeUnit: 'contracts',
      },
    ),
    breathe: () => nextTurn(),
    timers: systemTime,
  });
  expect([report.difference, notes]).toEqual([undefined, []]);
  // An earlier instance of the class only measured the length of the warm-up.
  const [backtest, live] = noted.slice(-2);
  expect(live).toEqual(backtest);
  return backtest as Noted;
}

describe('the funding rate shown to a bot', () => {
  it('is the rate paid at the end of its period or the last one paid, in a backtest and over HTTP', async () => {
    const found = { paid: 0 };
    await fc.assert(
      fc.asyncProperty(cases, async (drawn) => {
        const { shown, paid } = await play(drawn);
        for (const { time, rate } of paid) {
          const before = shown.findLast((each) => each.time < time);
          const since = shown.find((each) => each.time >= time);
          const told = drawn.known === 'current' ? before : since;
          if (told !== undefined) expect(told.rate).toBe(rate);
          found.paid += 1;
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );

    expect(found.paid).toBeGreaterThan(RUNS);
  });
});
