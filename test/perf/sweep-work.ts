/** Shared by the benchmarks of sweeps: pairs of averages over 100,000 candles of the reference walk, and the count of their runs. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadPlugin, type BacktestConfig } from '../../src/assembly/index.js';
import type { TrialSetup } from '../../src/cli/sweep/trial-pool.js';
import {
  drawCombinations,
  listGrid,
  parseGrid,
  requireListed,
  runTrial,
  takeSnapshot,
  type Combination,
  type TrialGround,
  type TrialOutcome,
} from '../../src/research/index.js';
import { int } from '../../src/strategy/index.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import { milliseconds, type Case } from './measure.js';
import { createReferenceCandles, createReferenceConfig, REFERENCE_ID } from './reference-work.js';

const ROWS = 100_000;
const RATE = { unit: 'runs/s', better: 'more' } as const;
const PROCESSOR = ', processor time';

/** Makes the setup of a sweep on the reference walk. `source` is a strategy of two averages, `fast` and `slow`; it is written into the folder as a plugin. */
export async function createSweepSetup(
  folder: string,
  source: string,
  rows = ROWS,
): Promise<TrialSetup> {
  const plugin = path.join(folder, 'long-while-above.strategy.ts');
  writeFileSync(plugin, source);
  const reference = createReferenceConfig();
  const strategy: BacktestConfig['strategy'] = { ...reference.strategy, path: plugin };
  const config = { ...reference, strategy };
  const columns = createReferenceCandles(rows);
  const archive = createMemoryArchive([{ instrumentId: REFERENCE_ID, interval: '1min', columns }]);
  const { sourceHash } = await loadPlugin(strategy, { locate: (key) => ({ file: 'bench', key }) });
  const snapshot = await takeSnapshot(config, archive);
  return { config, snapshot, sourceHash, cacheFolder: undefined };
}

/** All pairs, or `count` pairs drawn with a fixed seed. */
export function drawPairs(count: number): readonly Combination[] {
  const declared = { fast: int(2, 200, 10), slow: int(3, 400, 30) };
  const space = requireListed(parseGrid('fast=5:50:5,slow=60:240:20', declared));
  return count >= 100 ? listGrid(space) : drawCombinations(space, { count, seed: 1 });
}

export function periodsOf({ fast, slow }: Combination['parameters']): {
  readonly fast: number;
  readonly slow: number;
} {
  return { fast: Number(fast), slow: Number(slow) };
}

/** Runs per second, and the processor time of all threads per run. Other load on the machine changes the processor time less. */
export function rates(
  name: string,
  runs: number,
  work: () => unknown,
  reference?: string,
): readonly Case[] {
  const beside = (suffix: string): Pick<Case, 'reference'> =>
    reference === undefined ? {} : { reference: `${reference}${suffix}` };
  let processorMs = Number.NaN;
  return [
    {
      ...RATE,
      name,
      ...beside(''),
      run: async () => {
        const before = process.cpuUsage();
        const ms = await milliseconds(work);
        const { user, system } = process.cpuUsage(before);
        processorMs = (user + system) / 1_000 / runs;
        return (1_000 * runs) / ms;
      },
    },
    {
      name: `${name}${PROCESSOR}`,
      unit: 'ms each',
      better: 'less',
      ...beside(PROCESSOR),
      run: () => processorMs,
    },
  ];
}

/** Feeds `width` runs at once, in turns of 2,048 candles each. Returns their outcomes. */
export async function inTurns(
  ground: TrialGround,
  combinations: readonly Combination[],
  width: number,
): Promise<readonly TrialOutcome[]> {
  const outcomes: TrialOutcome[] = [];
  const eager: TrialGround = { ...ground, breathe: () => Promise.resolve() };
  for (let first = 0; first < combinations.length; first += width) {
    const together = combinations.slice(first, first + width);
    const ended = together.map(
      async ({ parameters }) => (await runTrial(eager, parameters)).outcome,
    );
    outcomes.push(...(await Promise.all(ended)));
  }
  return outcomes;
}
