import { beforeAll, describe, expect, it } from 'vitest';
import { createInstrumentId, present } from '../../../src/domain/index.js';
import {
  openArchive,
  runBacktest,
  type FundingSource,
  type MarkSource,
  type RunCandles,
  type RunDescription,
} from '../../../src/run/index.js';
import { CoinHedge } from '../../../strategies/coin-hedge/coin-hedge.strategy.js';

const ID = createInstrumentId('futures', 'I-BTC-USD');
const ARCHIVE = openArchive('backtest/data');

/** Two weeks of the contract of the example `coin-hedge`. */
const CONFIG: RunDescription = {
  name: 'contract',
  strategy: { parameters: { averageCandles: 12 } },
  instruments: [
    {
      product: 'futures',
      symbol: 'I-BTC-USD',
      intervals: ['1h'],
      leverage: 2,
      marginMode: 'isolated',
      contract: 'inverse',
      multiplier: '100',
    },
  ],
  simulation: {
    from: '2025-05-03',
    to: '2025-05-17',
    balances: { BTC: '1' },
    fees: { maker: '0.0002', taker: '0.0005' },
    rules: { 'I-BTC-USD': { pricePrecision: 1, quantityPrecision: 0 } },
  },
};

/** Candles, marks and funding of the archive, as lists in memory. */
let inMemory: Exclude<RunCandles, typeof ARCHIVE>;

beforeAll(async () => {
  const { openTime, open, high, low, close } = await ARCHIVE.read(ID, '1h');
  const { volume } = await ARCHIVE.read(ID, '1h');
  const marks = present(await ARCHIVE.marks(ID, '1h'), 'marks');
  const { time, rate } = present(await ARCHIVE.funding(ID), 'funding');
  inMemory = [
    {
      instrument: ID,
      interval: '1h',
      candles: { openTime, open, high, low, close, volume },
      volumeUnit: 'contracts',
    },
    { instrument: ID, interval: '1h', marks },
    {
      instrument: ID,
      funding: Array.from(time, (at, row) => ({ time: at, rate: rate[row] ?? 0 })),
    },
  ];
});

function run(candles: RunCandles): ReturnType<typeof runBacktest> {
  return runBacktest({ config: CONFIG, strategy: CoinHedge, candles });
}

describe('a contract with market data in memory', () => {
  it('gives the same statistics, fills and equity as from an archive', async () => {
    const stored = await run(ARCHIVE);
    const held = await run(inMemory);

    expect(held.statistics.funding).not.toBe('0');
    expect(held.statistics).toEqual(stored.statistics);
    expect(held.fills).toEqual(stored.fills);
    expect(held.equity).toEqual(stored.equity);
  });

  it('warns of missing mark prices and funding rates, and of what replaces them', async () => {
    const [candles] = inMemory;

    const result = await run(candles === undefined ? [] : [candles]);

    expect(result.warnings.slice(0, 2)).toEqual([
      'I-BTC-USD: no mark prices are stored; last stands for mark',
      'I-BTC-USD: no funding rates are stored; simulation.futures.fundingRate stands for them',
    ]);
  });

  it.each<[string, FundingSource | MarkSource, string]>([
    [
      'a rate off the minute',
      { instrument: ID, funding: [{ time: 1, rate: 0.0001 }] },
      'row 1 of the funding of futures:I-BTC-USD: expected a time on the minute',
    ],
    [
      'a rate that is text',
      { instrument: ID, funding: [{ time: 0, rate: '0.0001' as never }] },
      'funding of futures:I-BTC-USD, row 1: expected a number as rate, received "0.0001"',
    ],
    [
      'marks with a volume',
      {
        instrument: ID,
        interval: '1h',
        marks: [{ openTime: 0, open: 1, high: 1, low: 1, close: 1, volume: 2 }],
      },
      'expected volume 0 for mark prices, received 2',
    ],
  ])('refuses %s', async (_, source, text) => {
    await expect(run([source])).rejects.toThrow(text);
  });

  it('refuses funding that is given twice', async () => {
    const funding = { instrument: ID, funding: [{ time: 0, rate: 0.0001 }] };

    await expect(run([...inMemory, funding])).rejects.toThrow(
      'funding of futures:I-BTC-USD: given twice',
    );
  });
});
