import fc from 'fast-check';

import type { BacktestConfig, InstrumentConfig } from '../../../src/assembly/index.js';
import { createInstrumentId, MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import { createRandom } from '../../../src/engine/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import { aBacktestConfig, constantLatency } from '../backtest-config.js';
import { columnsOf } from '../candle-columns.js';
import { createMemoryArchive } from '../memory-archive.js';
import { BracketTrader, EquityTrader, LookingTrader, SulkingTrader } from './bracket-traders.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');
const START = Date.UTC(2025, 0, 6, 7, 40);

/** Some candles, and a strategy with brackets to run on them. */
export interface DrawnWindow {
  readonly config: BacktestConfig;
  readonly archive: ReturnType<typeof createMemoryArchive>;
  readonly strategyClass: StrategyClass;
}

const draws = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  candles: fc.integer({ min: 12, max: 60 }),
  strategyClass: fc.constantFrom<StrategyClass[]>(
    BracketTrader,
    BracketTrader,
    BracketTrader,
    EquityTrader,
    LookingTrader,
    SulkingTrader,
  ),
  parameters: fc.record({
    stop: fc.integer({ min: 5, max: 90 }),
    target: fc.integer({ min: 5, max: 90 }),
    limit: fc.constantFrom(0, 0, 5, 20),
    every: fc.integer({ min: 2, max: 9 }),
    trails: fc.constantFrom(0, 0, 0, 1),
    shorts: fc.constantFrom(0, 1),
  }),
  product: fc.constantFrom('spot' as const, 'isolated' as const, 'cross' as const),
  /** Leverage of contracts. */
  leverage: fc.constantFrom(2n, 10n, 100n),
  /** Balance: plenty, or hardly enough. */
  money: fc.constantFrom('10000', '10000', '101', '60'),
  latency: fc.constantFrom(0, 0, 80, 1_500, 61_000),
  updatePollMs: fc.constantFrom(2_000, 2_000, 7_000, 45_000),
  stopPollMs: fc.constantFrom(1_000, 2_000, 7_000),
  participation: fc.constantFrom('off' as const, parseFixed('0.1')),
  fee: fc.constantFrom('0', '0.001'),
  paidIn: fc.constantFrom('received' as const, 'quote' as const),
  closeAtEnd: fc.boolean(),
  path: fc.constantFrom('nearest' as const, 'nearest' as const, 'high-first' as const),
});
type Draw = typeof draws extends fc.Arbitrary<infer T> ? T : never;

/** Windows of one-minute candles of pairs and contracts. Stops and targets are about as far away as a candle is wide. */
export const drawnWindows: fc.Arbitrary<DrawnWindow> = draws.map(createWindow);

function createWindow(draw: Draw): DrawnWindow {
  const isSpot = draw.product === 'spot';
  const instrumentId = isSpot ? ID : CONTRACT;
  const columns = columnsOf(drawCandles(draw));
  return {
    config: configOf(draw),
    archive: createMemoryArchive([{ instrumentId, interval: '1min', columns }]),
    strategyClass: draw.strategyClass,
  };
}

/** A walk in ticks of 0.01 from 100. */
function drawCandles({ seed, candles }: Draw): Parameters<typeof columnsOf>[0] {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  let last = 10_000;
  return Array.from({ length: candles }, (_, index) => {
    const open = last + (random() < 0.1 ? below(41) - 20 : 0);
    const close = open + below(61) - 30;
    const high = Math.max(open, close) + below(40);
    const low = Math.min(open, close) - below(40);
    last = close;
    const volume = 5 + below(30);
    const [o, h, l, c] = [open, high, low, close].map((ticks) => ticks / 100);
    return {
      time: START + index * MINUTE_MS,
      ...{ open: o ?? 0, high: h ?? 0, low: l ?? 0, close: c ?? 0, volume },
    };
  });
}

function configOf(draw: Draw): BacktestConfig {
  const isSpot = draw.product === 'spot';
  const instrumentId = isSpot ? ID : CONTRACT;
  const fee = parseFixed(draw.fee);
  const balances = new Map([['USDT', parseFixed(draw.money)]]);
  const config = aBacktestConfig({
    instrumentId,
    interval: '1min',
    parameters: {
      ...draw.parameters,
      shorts: isSpot ? 0 : draw.parameters.shorts,
      size: isSpot ? 1 : 10_000,
    },
    simulation: {
      balances: isSpot ? { spot: balances } : { futures: balances },
      fees: { maker: fee, taker: fee, paidIn: isSpot ? draw.paidIn : 'quote' },
      participation: draw.participation,
      latency: constantLatency(draw.latency),
      updatePollMs: draw.updatePollMs,
      stopPollMs: draw.stopPollMs,
      closeAtEnd: draw.closeAtEnd,
      path: draw.path,
    },
  });
  return isSpot ? config : { ...config, instruments: [contractOf(draw)] };
}

function contractOf({ product, leverage }: Draw): InstrumentConfig {
  return {
    kind: 'futures',
    instrumentId: CONTRACT,
    symbol: 'E-BTC-USDT',
    base: 'BTC',
    quote: 'USDT',
    intervals: ['1min'],
    contract: 'linear',
    multiplier: parseFixed('0.0001'),
    leverage: leverage * 10n ** 18n,
    marginMode: product === 'cross' ? 'cross' : 'isolated',
  };
}
