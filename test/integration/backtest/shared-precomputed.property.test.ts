import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  prepareMarket,
  replayMarket,
  SharedCandles,
  type BacktestConfig,
  type LoadedMarket,
  type RunOptions,
} from '../../../src/assembly/index.js';
import { MINUTE_MS, present } from '../../../src/domain/index.js';
import { buildResult, writeResult } from '../../../src/report/index.js';
import {
  atr,
  CandleStrategy,
  choice,
  PrecomputedStore,
  highest,
  int,
  kama,
  rsi,
  sma,
  standardDeviation,
  wma,
  type Indicator,
  type StrategyClass,
} from '../../../src/strategy/index.js';
import { randomMarketRuns } from '../../support/arbitraries/random-markets.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { replayRuns } from '../../support/runs.js';

const KINDS = ['sma', 'wma', 'highest', 'deviation', 'kama', 'rsi', 'atr'] as const;
const SOURCES = ['close', 'open', 'hl2', 'hlc3', 'ohlc4', 'volume'] as const;

/** The values that the strategy has read in the current run. */
let seen: number[] = [];

/** Trades by indicators of any kind, on every stream. */
class ByIndicators extends CandleStrategy({
  kind: choice(KINDS),
  source: choice(SOURCES),
  fast: int(1, 60, 5),
  slow: int(1, 60, 20),
}) {
  readonly fast = this.indicator(sma(this.parameters.fast, this.parameters.source));
  readonly slow = this.indicator(sma(this.parameters.slow));
  readonly others = this.instruments.flatMap(({ instrumentId: instrument, intervals }) =>
    intervals.map((interval) => this.indicator(this.#create(), { instrument, interval })),
  );

  #create(): Indicator {
    const { kind, source, slow } = this.parameters;
    const kinds = {
      sma: () => sma(slow, source),
      wma: () => wma(slow, source),
      highest: () => highest(slow, source),
      deviation: () => standardDeviation(slow, source),
      kama: () => kama(slow, source),
      rsi: () => rsi(slow, source),
      atr: () => atr(slow),
    } satisfies Record<(typeof KINDS)[number], () => Indicator>;
    return kinds[kind]();
  }

  override onCandle(): void {
    for (const { value, previous } of [this.fast, this.slow, ...this.others])
      seen.push(value, previous);
    if (this.fast.value > this.slow.value) this.enterLong({ notional: '150' });
    else if (this.others.some(({ value, previous }) => value > previous)) this.exit();
  }
}

const LENGTHS = { minLength: 60, maxLength: 140 };

const combinations = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    source: fc.constantFrom(...SOURCES),
    fast: fc.integer({ min: 1, max: 6 }),
    slow: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 60 })),
  }),
  { minLength: 2, maxLength: 4 },
);

interface Played {
  readonly text: string;
  readonly seen: readonly number[];
  readonly fills: number;
}

async function play(
  market: LoadedMarket,
  config: BacktestConfig,
  shared: Pick<RunOptions, 'precomputed' | 'candles'> = {},
  strategyClass: StrategyClass = ByIndicators,
): Promise<Played> {
  seen = [];
  const options = { config, strategyClass, sourceHash: 'random', ...shared };
  const record = await replayMarket(market, options);
  return { text: writeResult(buildResult(record)), seen, fills: record.fills.length };
}

describe('runs that share candles and indicator values', () => {
  it('give the bytes of separate runs for any indicators, series, gaps, starts and limits', async () => {
    let runs = 0;
    let withFills = 0;
    let shared = 0;

    await fc.assert(
      fc.asyncProperty(
        randomMarketRuns(fc.constant({}), LENGTHS),
        combinations,
        // After a start in the middle, warm-ups of all lengths precede it.
        fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
        fc.constantFrom(1 << 20, 2_400, 0),
        fc.constantFrom(1 << 20, 150, 0),
        async ({ config, market: history }, drawn, startsAfter, mostBytes, mostCandles) => {
          const first = present(history.candles[0]?.columns.openTime[0], 'first candle');
          const from = startsAfter === undefined ? undefined : first + startsAfter * MINUTE_MS;
          const configOf = (parameters: BacktestConfig['strategy']['parameters']) => ({
            ...config,
            strategy: { ...config.strategy, parameters },
            simulation: { ...config.simulation, from },
          });
          const archive = createMemoryArchive(history.candles, history);
          const market = await prepareMarket(configOf({}), archive);
          const store = new PrecomputedStore({ mostBytes });
          const candles = new SharedCandles({ mostCandles });

          for (const parameters of [...drawn, ...drawn.slice(0, 1)]) {
            const together = await play(market, configOf(parameters), {
              precomputed: store,
              candles,
            });
            const alone = await play(market, configOf(parameters));

            expect(together).toEqual(alone);
            expect(store.bytes).toBeLessThanOrEqual(mostBytes);
            runs += 1;
            if (alone.fills > 0) withFills += 1;
            if (store.bytes > 0) shared += 1;
          }
        },
      ),
      { numRuns: replayRuns() / 2 },
    );

    expect(withFills / runs).toBeGreaterThan(0.5);
    expect(shared / runs).toBeGreaterThan(0.5);
  });

  it('share nothing, and give the bytes of separate runs, if not all candles are in memory', async () => {
    let shared = 0;
    await fc.assert(
      fc.asyncProperty(
        randomMarketRuns(fc.constant({ kind: 'sma', source: 'close' }), LENGTHS),
        async ({ config, market: history }) => {
          const paged = createMemoryArchive(history.candles, { ...history, blockRows: 4 });
          const whole = createMemoryArchive(history.candles, history);
          const store = new PrecomputedStore({ mostBytes: 1 << 20 });
          const candles = new SharedCandles({ mostCandles: 1 << 20 });

          const together = await play(await prepareMarket(config, paged), config, {
            precomputed: store,
            candles,
          });

          expect(together).toEqual(await play(await prepareMarket(config, whole), config));
          expect(store.bytes).toBe(0);
          const precomputed = new PrecomputedStore({ mostBytes: 1 << 20 });
          await play(await prepareMarket(config, whole), config, { precomputed });
          if (precomputed.bytes > 0) shared += 1;
        },
      ),
      { numRuns: 10 },
    );
    expect(shared).toBeGreaterThan(5);
  });
});
