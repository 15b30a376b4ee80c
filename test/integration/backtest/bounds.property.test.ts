import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  findBounds,
  prepareMarket,
  type RunOptions,
} from '../../../src/assembly/backtest/index.js';
import type { LoadedMarket } from '../../../src/assembly/index.js';
import { rangeOfRuns } from '../../../src/report/index.js';
import { drawnWindows } from '../../support/bounds/drawn-windows.js';
import { runEveryPath, type PathEnd } from '../../support/bounds/every-path.js';
import { openReplay, randomReplays } from '../../support/replays/random-replays.js';

/** EVENKEEL_BOUNDS=500: the number of windows, of up to 14 candles that can matter, and the number of random strategies. */
const wanted = process.env['EVENKEEL_BOUNDS'];
const MOST_FORKS = wanted === undefined ? 6 : 14;
const WINDOWS = wanted === undefined ? 12 : Number(wanted);

/** Up to this many ends are found one by one. With more, branches with different pasts are joined. */
const MOST_WHOLE = 256;

/** The rest of the 4,096 runs, for windows with more ends than {@link MOST_WHOLE}. If no two branches can be joined, each end takes one run. */
const MOST_APART = 4_096 - MOST_WHOLE - 2;

const FIGURES = [
  'finalEquity',
  'totalReturn',
  'cagr',
  'sharpe',
  'maxDrawdown',
  'trades',
  'winRate',
  'profitFactor',
] as const;

let cutWindows = 0;

type Options = Omit<RunOptions, 'branch' | 'journal' | 'onBegin' | 'way'>;

/** Undefined if there are too many combinations to run one by one. */
async function compare(
  market: LoadedMarket,
  options: Options,
): Promise<readonly PathEnd[] | undefined> {
  const ends = await runEveryPath(market, options, MOST_FORKS);
  if (ends === undefined) return undefined;
  const truth = rangeOfRuns(ends);

  const { low, high, search, exact } = await findBounds(market, options);

  if (ends.length > MOST_APART && search?.cut !== null) {
    // The strategy keeps state of its own. The result names the candles that the search left out, and its range lies within the true range.
    cutWindows += 1;
    expect(exact).toBe(false);
    expect(search?.cut?.candles).toBeGreaterThan(0);
    expect(Number(low.finalEquity)).toBeGreaterThanOrEqual(Number(truth.low.finalEquity));
    expect(Number(high.finalEquity)).toBeLessThanOrEqual(Number(truth.high.finalEquity));
    return ends;
  }
  expect(search?.cut).toBeNull();
  for (const figure of FIGURES) {
    const found = [low[figure], high[figure]];
    if (ends.length > MOST_WHOLE && low[figure] === null) continue;
    expect([figure, ...found]).toEqual([figure, truth.low[figure], truth.high[figure]]);
  }
  return ends;
}

describe('the range over all paths', () => {
  it('equals the range of all combinations of path orders, each run from the start', async () => {
    const counts: number[] = [];
    await fc.assert(
      fc.asyncProperty(drawnWindows, async ({ config, archive, strategyClass }) => {
        const market = await prepareMarket(config, archive);
        const ends = await compare(market, { config, strategyClass, sourceHash: '' });
        fc.pre(ends !== undefined);
        counts.push(ends.length);
      }),
      { numRuns: WINDOWS, maxSkipsPerRun: 1_000 },
    );

    expect(counts.filter((count) => count > 1).length).toBeGreaterThan(WINDOWS / 4);
    if (wanted !== undefined)
      console.log(`${String(cutWindows)} cut; ends: ${counts.sort((a, b) => a - b).join(' ')}`);
  });

  it('equals the range of all combinations for any strategy, product and terms', async () => {
    const replays = randomReplays({ minLength: 30, maxLength: 45 });
    const counts: number[] = [];
    await fc.assert(
      fc.asyncProperty(replays, async (replay) => {
        const { market, options } = await openReplay(replay);
        const ends = await compare(market, options);
        fc.pre(ends !== undefined);
        counts.push(ends.length);
      }),
      { numRuns: WINDOWS, maxSkipsPerRun: 1_000 },
    );

    expect(counts.filter((count) => count > 1).length).toBeGreaterThan(WINDOWS / 4);
    if (wanted !== undefined) console.log(counts.sort((a, b) => a - b).join(' '));
  });

  it('never makes more runs than its budget, and refuses a budget that is too small', async () => {
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(
        drawnWindows,
        fc.integer({ min: 4, max: 12 }),
        async ({ config, archive, strategyClass }, budget) => {
          const market = await prepareMarket(config, archive);
          const options = { config, strategyClass, sourceHash: '' };

          const { search } = await findBounds(market, { ...options, budget });

          expect(search?.runs).toBeLessThanOrEqual(budget);
          if (search?.cut !== null) cut += 1;
          await expect(findBounds(market, { ...options, budget: 3 })).rejects.toMatchObject({
            code: 'E_USAGE',
            message: 'budget: expected a whole number of runs, at least 4, received 3',
          });
        },
      ),
      { numRuns: WINDOWS },
    );

    expect(cut).toBeGreaterThan(0);
  });
});
