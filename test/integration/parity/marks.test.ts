import { setImmediate as nextTurn } from 'node:timers/promises';

import { enterLong, int, Strategy, type Market } from 'evenkeel';
import { map, merge, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { runParity, type BacktestConfig } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  DAY_MS,
  FIXED_ONE,
  HOUR_MS,
  MINUTE_MS,
  nominalIntervalMs,
  type CandleSeries,
  type InstrumentId,
  type Interval,
  type OrderIntent,
} from '../../../src/domain/index.js';
import { systemTime } from '../../../src/engine/system-time.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const NAMES = ['E-BTC-USDT', 'E-ETH-USDT'] as const;
const [BTC, ETH] = NAMES.map((name) => createInstrumentId('futures', name)) as [
  InstrumentId,
  InstrumentId,
];
/** An hour before midnight, so that the mark of a day also ends within the run. */
const START = Date.UTC(2026, 0, 2) - HOUR_MS;
const MINUTES = 120;

/** Buys a contract with each mark. */
class MarkBuyer extends Strategy({ warmup: int(0, 9, 2) }) {
  override readonly warmup = this.parameters.warmup;

  override intents(market: Market): Observable<OrderIntent> {
    const marked = this.instruments.map(({ instrumentId: instrument }) =>
      market
        .marks$(instrument)
        .pipe(map(() => enterLong({ quantity: '1' }, { instrument, add: true }))),
    );
    return merge(...marked);
  }
}

function seriesOf(
  instrumentId: InstrumentId,
  interval: Interval,
  isStored: (time: number) => boolean,
): CandleSeries {
  const stepMs = nominalIntervalMs(interval);
  const first = interval === '1day' ? START - (DAY_MS - HOUR_MS) : START;
  const count = Math.ceil((START + MINUTES * MINUTE_MS - first) / stepMs);
  const price = (row: number): number => 200 + ((row * 7) % 11) + (row % 4) / 4;
  const rows = Array.from({ length: count }, (_, row) => {
    const [open, close] = [price(row), price(row + 1)];
    const [high, low] = [Math.max(open, close) + 1, Math.min(open, close) - 1];
    return { time: first + row * stepMs, open, high, low, close, volume: 1_000 };
  });
  return { instrumentId, interval, columns: columnsOf(rows.filter(({ time }) => isStored(time))) };
}

function configOf(from: number, dataDelayMs: number, warmup: number): BacktestConfig {
  const config = aBacktestConfig({ instrumentId: BTC, interval: '1min', parameters: { warmup } });
  const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 0 };
  return {
    ...config,
    equityCurrency: 'USDT',
    instruments: [BTC, ETH].map((instrumentId, index) => ({
      ...({ kind: 'futures', instrumentId, symbol: NAMES[index] ?? '', quote: 'USDT' } as const),
      ...({ base: index === 0 ? 'BTC' : 'ETH', intervals: ['1min'], contract: 'linear' } as const),
      ...({ multiplier: FIXED_ONE, leverage: FIXED_ONE, marginMode: 'cross' } as const),
    })),
    simulation: {
      ...config.simulation,
      ...{ from, dataDelayMs },
      balances: { futures: new Map([['USDT', 1_000_000n * FIXED_ONE]]) },
      rules: new Map([BTC, ETH].map((id) => [id, rules])),
    },
  };
}

const always = (): boolean => true;
/** Minutes from the start. */
const minuteOf = (time: number): number => (time - START) / MINUTE_MS;

describe('marks over HTTP', () => {
  it.each<{
    readonly what: string;
    readonly interval: Interval;
    readonly orders: number;
    readonly from?: number;
    readonly dataDelayMs?: number;
    readonly warmup?: number;
    readonly isMarkStored?: (time: number) => boolean;
    /** Of the second contract. */
    readonly isCandleStored?: (time: number) => boolean;
    readonly isFirstStored?: (time: number) => boolean;
  }>([
    { what: 'begin later', interval: '15min', orders: 12, isMarkStored: (t) => minuteOf(t) >= 30 },
    {
      what: 'are missing now and then',
      interval: '5min',
      orders: 32,
      isMarkStored: (t) => minuteOf(t) % 15 !== 5,
    },
    { what: 'are too long to move', interval: '1day', orders: 0 },
    {
      what: 'are longer than candles, one of which is open when trading begins',
      interval: '15min',
      orders: 16,
      from: START + 7.5 * MINUTE_MS,
    },
    {
      what: 'are told late, one of them with the last candle of the warm-up',
      interval: '5min',
      orders: 42,
      from: START + 15 * MINUTE_MS,
      dataDelayMs: 700,
    },
    {
      what: 'end together with a candle of another contract only',
      interval: '15min',
      orders: 16,
      isCandleStored: (t) => minuteOf(t) % 45 !== 44,
    },
    {
      what: 'have ended before a start without a warm-up',
      interval: '5min',
      orders: 46,
      from: START + 7.5 * MINUTE_MS,
      warmup: 0,
    },
    {
      what: 'end while candles are missing right after the start',
      interval: '5min',
      orders: 38,
      from: START + 15 * MINUTE_MS,
      isFirstStored: (t) => minuteOf(t) < 15 || minuteOf(t) >= 32,
      isCandleStored: (t) => minuteOf(t) < 15 || minuteOf(t) >= 32,
    },
  ])('are told as in a backtest where they $what', async ({ interval, orders, ...drawn }) => {
    const {
      from = START + 2 * MINUTE_MS,
      dataDelayMs = 0,
      warmup = 2,
      isMarkStored = always,
      isCandleStored = always,
      isFirstStored = always,
    } = drawn;
    const { report, disagreements } = await runParity({
      config: configOf(from, dataDelayMs, warmup),
      strategyClass: MarkBuyer,
      sourceHash: 'marks',
      archive: createMemoryArchive(
        [seriesOf(BTC, '1min', isFirstStored), seriesOf(ETH, '1min', isCandleStored)],
        {
          marks: [BTC, ETH].map((id) => seriesOf(id, interval, isMarkStored)),
          volumeUnit: 'contracts',
        },
      ),
      breathe: () => nextTurn(),
      timers: systemTime,
    });

    expect(report.difference).toBeUndefined();
    expect(disagreements).toEqual([]);
    expect(report.counts.orders).toBe(orders);
  });
});
