import fc from 'fast-check';

import type { Archive } from '../../../src/archive/index.js';
import {
  prepareMarket,
  replayBacktest,
  type LoadedMarket,
  type RunOptions,
} from '../../../src/assembly/index.js';
import { HALT_ACTIONS, MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import type { ProtectionConfig } from '../../../src/risk/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import {
  randomMarketRuns,
  type Product,
  type RandomMarketRun,
} from '../arbitraries/random-markets.js';
import type { Lengths } from '../arbitraries/random-runs.js';
import { createMemoryArchive } from '../memory-archive.js';
import { RANDOM_STRATEGIES } from '../strategies/random-strategies.js';

/** A run of some strategy over some market on some terms. */
export interface RandomReplay {
  readonly run: RandomMarketRun;
  readonly strategyClass: StrategyClass;
}

const parameters = fc.record({
  warmup: fc.constantFrom(0, 0, 3),
  // From a trade now and then, with long quiet stretches, to several with each candle.
  activity: fc.constantFrom(0.25, 0.4, 0.55),
  money: fc.constantFrom(300, 3_000, 30_000),
});

const amounts = (...choices: readonly string[]) => fc.constantFrom(...choices.map(parseFixed));

/** Limits of losses, from those that halt at once to those that never do. */
const lossLimits: fc.Arbitrary<ProtectionConfig> = fc.record(
  {
    maxDailyLoss: amounts('0.5', '20', '500'),
    maxDailyLossRatio: amounts('0.0001', '0.002', '0.05'),
    maxDrawdown: amounts('0.5', '20', '500'),
    maxDrawdownRatio: amounts('0.0001', '0.002', '0.05'),
    drawdownWindowMs: fc.constantFrom(20 * MINUTE_MS, 90 * MINUTE_MS),
    haltMs: fc.constantFrom(3 * MINUTE_MS, 30 * MINUTE_MS),
    resetHour: fc.constantFrom(0, 1, 23),
    onHalt: fc.constantFrom(...HALT_ACTIONS),
  },
  { requiredKeys: [] },
);
const protections = fc.oneof(
  { weight: 2, arbitrary: fc.constant<ProtectionConfig>({}) },
  { weight: 1, arbitrary: lossLimits },
);

/** Replays of any strategy, market and terms, or on `products`. Differential tests compare two ways through one build, or two builds. */
export function randomReplays(
  lengths: Lengths = { minLength: 100, maxLength: 180 },
  strategies: readonly StrategyClass[] = RANDOM_STRATEGIES,
  products?: readonly [Product, Product],
): fc.Arbitrary<RandomReplay> {
  return fc.record({
    // A day may end an hour after the first candle.
    run: fc
      .constantFrom(0, 23 * 60)
      .chain((startMinute) => randomMarketRuns(parameters, { ...lengths, startMinute }, products)),
    strategyClass: fc.constantFrom(...strategies),
  });
}

/** The same, a third of them with limits of losses. */
export function limitedReplays(): fc.Arbitrary<RandomReplay> {
  return fc.tuple(randomReplays(), protections).map(([{ run, strategyClass }, limits]) => {
    const { config } = run;
    const risk = { ...config.risk, protections: limits };
    return { run: { ...run, config: { ...config, risk } }, strategyClass };
  });
}

export function playReplay(
  replay: RandomReplay,
  options: Pick<RunOptions, 'createReplay' | 'journal' | 'createLog'> = {},
): Promise<RunRecord> {
  return replayBacktest({ ...optionsOf(replay), archive: archiveOf(replay), ...options });
}

/** Its market, opened for many runs. */
export async function openReplay(
  replay: RandomReplay,
): Promise<{ readonly market: LoadedMarket; readonly options: ReturnType<typeof optionsOf> }> {
  const options = optionsOf(replay);
  return { market: await prepareMarket(options.config, archiveOf(replay)), options };
}

function optionsOf({
  run: { config, keepCloses },
  strategyClass,
}: RandomReplay): Pick<RunOptions, 'config' | 'strategyClass' | 'sourceHash' | 'keepCloses'> {
  return { config, strategyClass, sourceHash: 'random', keepCloses };
}

function archiveOf({ run: { market, rules, blockRows } }: RandomReplay): Archive {
  return createMemoryArchive([...market.candles, ...market.finer], { ...market, rules, blockRows });
}
