import fc from 'fast-check';

import { runBacktest, type RunOptions } from '../../src/assembly/index.js';
import type { RunRecord } from '../../src/report/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { randomMarketRuns, type RandomMarketRun } from './arbitraries/random-markets.js';
import type { Lengths } from './arbitraries/random-runs.js';
import { createMemoryArchive } from './memory-archive.js';
import { RANDOM_STRATEGIES } from './random-strategies.js';

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

/** Replays of any strategy, market and terms: what differential tests compare, two ways through one build or two builds. */
export function randomReplays(
  lengths: Lengths = { minLength: 100, maxLength: 180 },
  strategies: readonly StrategyClass[] = RANDOM_STRATEGIES,
): fc.Arbitrary<RandomReplay> {
  return fc.record({
    // A day may end an hour after the first candle.
    run: fc
      .constantFrom(0, 23 * 60)
      .chain((startMinute) => randomMarketRuns(parameters, { ...lengths, startMinute })),
    strategyClass: fc.constantFrom(...strategies),
  });
}

export function playReplay(
  { run, strategyClass }: RandomReplay,
  options: Pick<RunOptions, 'way' | 'journal' | 'log'> = {},
): Promise<RunRecord> {
  const { config, market, rules, blockRows, keepCloses } = run;
  const archive = createMemoryArchive([...market.candles, ...market.finer], {
    ...market,
    rules,
    blockRows,
  });
  const sourceHash = 'random';
  return runBacktest({ config, archive, strategyClass, sourceHash, keepCloses, ...options });
}
