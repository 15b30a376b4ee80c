import type { BacktestConfig, SimulationConfig } from '../../src/assembly/index.js';
import {
  HOUR_MS,
  parseFixed,
  splitInstrumentId,
  type InstrumentId,
  type Interval,
} from '../../src/domain/index.js';

/** Every command takes the same time. */
export function constantLatency(ms: number): SimulationConfig['latency'] {
  const range = { min: ms, max: ms };
  return { submit: range, cancel: range };
}

/** A config for one spot pair: 10,000 of its quote, no costs, tick 0.01, step 0.00001. */
export function aBacktestConfig(options: {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly simulation?: Partial<SimulationConfig>;
  readonly parameters?: BacktestConfig['strategy']['parameters'];
}): BacktestConfig {
  const { instrumentId, interval } = options;
  const { symbol } = splitInstrumentId(instrumentId);
  const quote =
    ['USDT', 'USD', 'BTC', 'ETH'].find((candidate) => symbol.endsWith(candidate)) ?? 'USDT';
  return {
    version: 1,
    name: 'test',
    strategy: { path: '', export: undefined, parameters: options.parameters ?? {} },
    instruments: [
      {
        kind: 'spot',
        instrumentId,
        symbol,
        base: symbol.slice(0, -quote.length),
        quote,
        intervals: [interval],
      },
    ],
    equityCurrency: quote,
    risk: {
      marketBand: parseFixed('0.05'),
      tooLarge: { entries: 'refuse', exits: 'split' },
      dust: 'sweep',
      liquidationWarning: parseFixed('0.2'),
      protections: {},
    },
    warmUp: { length: 'converged', incomplete: 'wait' },
    venue: undefined,
    live: {
      journal: '/bot.journal',
      onStop: 'keep',
      externalOrders: 'refuse',
      unverified: 'refuse',
      venueStops: 'off',
      disasterDistance: 2n * 10n ** 17n,
      orphans: 'refuse',
      stopBand: parseFixed('0.01'),
      guard: 'on',
      blindMargin: false,
      alignMs: 2_000,
      allocation: {},
      staleAfterMs: 30_000,
      maxClockOffsetMs: 30_000,
      loopStallMs: 5_000,
    },
    simulation: {
      archive: '',
      from: undefined,
      to: undefined,
      balances: { spot: new Map([[quote, parseFixed('10000')]]) },
      fees: { maker: 0n, taker: 0n, paidIn: 'received' },
      feeChanges: [],
      spreadBps: 0n,
      slippage: { model: 'fixed', bps: 0n },
      participation: 'off',
      fillOnTouch: false,
      remainder: 'cancel',
      latency: constantLatency(0),
      dataDelayMs: 0,
      updatePollMs: 2_000,
      stopPollMs: 'auto',
      path: 'nearest',
      maxGapMs: undefined,
      closeAtEnd: false,
      seed: 1,
      rules: new Map([[instrumentId, { tradable: true, pricePrecision: 2, quantityPrecision: 5 }]]),
      futures: {
        positionMode: 'hedge',
        fundingRate: parseFixed('0.0001'),
        fundingIntervalMs: 8 * HOUR_MS,
        fundingRateKnown: 'current',
        maxFeeRate: parseFixed('0.0006'),
        tiers: new Map(),
      },
      margin: { hourlyRate: parseFixed('0.00001') },
      ...options.simulation,
    },
  };
}
