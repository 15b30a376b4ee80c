import type { BacktestConfig, SimulationConfig } from '../../src/assembly/index.js';
import type { Archive } from '../../src/archive/index.js';
import {
  createInstrumentId,
  FIXED_ONE,
  parseFixed,
  type Interval,
  type LeverageTier,
} from '../../src/domain/index.js';
import { aBacktestConfig, constantLatency } from './backtest-config.js';
import { columnsOf, type CandleRow } from './candle-columns.js';
import { createMemoryArchive } from './memory-archive.js';

export const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');
/** 2025-01-01T00:00:00Z. */
export const CONTRACT_START = Date.UTC(2025, 0, 1);

/** One linear contract of 0.001 BTC, 20x isolated and one-way, 10,000 USDT, a fee of 0.08 % and a latency of 80 ms. Options replace these. */
export function aContractConfig({
  interval = '5min',
  tiers = [{ maxValue: undefined, maxLeverage: 125n * FIXED_ONE, keepRate: parseFixed('0.005') }],
  simulation = {},
}: {
  readonly interval?: Interval;
  readonly tiers?: readonly LeverageTier[];
  readonly simulation?: Partial<SimulationConfig>;
} = {}): BacktestConfig {
  const config = aBacktestConfig({ instrumentId: CONTRACT, interval });
  return {
    ...config,
    equityCurrency: 'USDT',
    instruments: [
      {
        kind: 'futures',
        instrumentId: CONTRACT,
        symbol: 'E-BTC-USDT',
        base: 'BTC',
        quote: 'USDT',
        intervals: [interval],
        contract: 'linear',
        multiplier: parseFixed('0.001'),
        leverage: 20n * FIXED_ONE,
        marginMode: 'isolated',
      },
    ],
    simulation: {
      ...config.simulation,
      balances: { futures: new Map([['USDT', parseFixed('10000')]]) },
      latency: constantLatency(80),
      fees: { maker: parseFixed('0.0008'), taker: parseFixed('0.0008'), paidIn: 'quote' },
      rules: new Map([[CONTRACT, { tradable: true, pricePrecision: 2, quantityPrecision: 0 }]]),
      futures: {
        ...config.simulation.futures,
        positionMode: 'oneWay',
        maxFeeRate: parseFixed('0.0008'),
        fundingRate: 0n,
        tiers: new Map([[CONTRACT, [{ from: 0, tiers }]]]),
      },
      ...simulation,
    },
  };
}

/** Candles of the contract, and marks if they are given. */
export function aContractArchive(
  rows: readonly CandleRow[],
  {
    interval = '5min',
    marks,
  }: { readonly interval?: Interval; readonly marks?: readonly CandleRow[] } = {},
): Archive {
  const seriesOf = (columns: readonly CandleRow[]) => ({
    instrumentId: CONTRACT,
    interval,
    columns: columnsOf(columns),
  });
  return createMemoryArchive([seriesOf(rows)], {
    volumeUnit: 'contracts',
    marks: marks === undefined ? [] : [seriesOf(marks)],
  });
}
