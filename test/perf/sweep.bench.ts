/**
 * Runs per second of a sweep: 100 pairs of averages (5 to 50, 60 to 240) over 100,000 candles of the reference work, in threads as the command
 * runs them; in one thread of the bench, one run after the other and several fed in turns of 2,048 candles; and by hand. The parts that a
 * sweep adds to its runs are timed by themselves. PAIRS=N takes only N of the pairs.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadPlugin, type BacktestConfig } from '../../src/assembly/index.js';
import { createTrialGround } from '../../src/cli/sweep/trial-ground.js';
import { createTrialPool, type TrialSetup } from '../../src/cli/sweep/trial-pool.js';
import { present } from '../../src/domain/index.js';
import { computeStatistics } from '../../src/report/index.js';
import {
  drawCombinations,
  listGrid,
  parseGrid,
  replayTrial,
  requireListed,
  runTrial,
  takeSnapshot,
  type Combination,
  type TrialGround,
  type TrialRunner,
} from '../../src/research/index.js';
import { int } from '../../src/strategy/index.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import { measure, milliseconds, type Case } from './measure.js';
import {
  createReferenceCandles,
  createReferenceConfig,
  REFERENCE_ID,
  runByHand,
} from './reference-work.js';

const ROWS = 100_000;
const PAIRS = Number(process.env['PAIRS'] ?? 100);
/** Pairs of the cases that run in one thread of the bench: fewer, because there are several. */
const FEW = Math.min(20, PAIRS);
const ENTRY = new URL('../../dist/cli/sweep/run-trial.thread.js', import.meta.url);
const RATE = { unit: 'runs/s', better: 'more' } as const;
const BY_HAND = 'by hand';
const ONE_BY_ONE = 'one thread, one by one';
const PROCESSOR = ', processor time';

const SOURCE = `import { CandleStrategy, int, sma } from 'evenkeel';

export class LongWhileAbove extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  override onCandle(): void {
    if (this.fast.value > this.slow.value) this.enterLong({ quantity: '1' });
    else this.exit();
  }
}
`;

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-bench-'));
try {
  await run();
} finally {
  rmSync(folder, { recursive: true });
}

async function run(): Promise<void> {
  const setup = await createSetup();
  const ground = await createTrialGround(setup);
  const pairs = drawPairs(PAIRS);
  const few = drawPairs(FEW);
  const columns = present(setup.snapshot.series[0], 'series').columns;
  const pools = new Map<number, TrialRunner>();
  for (const jobs of [1, 2]) pools.set(jobs, await createTrialPool({ entry: ENTRY, jobs, setup }));
  await measure([
    ...rates(BY_HAND, few.length, () => {
      for (const { parameters } of few) runByHand(columns, periodsOf(parameters));
    }),
    ...rates(ONE_BY_ONE, few.length, () => inTurns(ground, few, 1), BY_HAND),
    ...[5, 20].flatMap((width) =>
      rates(
        `one thread, ${String(width)} in turns`,
        few.length,
        () => inTurns(ground, few, width),
        ONE_BY_ONE,
      ),
    ),
    ...[...pools].flatMap(([jobs, pool]) =>
      rates(
        threadsOf(jobs),
        pairs.length,
        () => inThreads(pool, pairs),
        jobs === 1 ? BY_HAND : threadsOf(1),
      ),
    ),
    await aStatistics(ground, present(few[0], 'pair')),
  ]);
  for (const pool of pools.values()) await pool.close();
}

async function createSetup(): Promise<TrialSetup> {
  const plugin = path.join(folder, 'long-while-above.strategy.ts');
  writeFileSync(plugin, SOURCE);
  const reference = createReferenceConfig();
  const strategy: BacktestConfig['strategy'] = { ...reference.strategy, path: plugin };
  const config = { ...reference, strategy };
  const columns = createReferenceCandles(ROWS);
  const archive = createMemoryArchive([{ instrumentId: REFERENCE_ID, interval: '1min', columns }]);
  const { sourceHash } = await loadPlugin(strategy, { locate: (key) => ({ file: 'bench', key }) });
  const snapshot = await takeSnapshot(config, archive);
  return { config, snapshot, sourceHash, cacheFolder: undefined };
}

function threadsOf(jobs: number): string {
  return jobs === 1 ? 'sweep, 1 thread' : `sweep, ${String(jobs)} threads`;
}

/** All pairs, or some of them drawn evenly. */
function drawPairs(count: number): readonly Combination[] {
  const declared = { fast: int(2, 200, 10), slow: int(3, 400, 30) };
  const space = requireListed(parseGrid('fast=5:50:5,slow=60:240:20', declared));
  return count >= 100 ? listGrid(space) : drawCombinations(space, { count, seed: 1 });
}

function periodsOf({ fast, slow }: Combination['parameters']): {
  readonly fast: number;
  readonly slow: number;
} {
  return { fast: Number(fast), slow: Number(slow) };
}

/** Runs per second, and the processor time of all threads per run, which a busy machine changes less. */
function rates(
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

/** Feeds `width` runs at once, each 2,048 candles before the next has its turn. */
async function inTurns(
  ground: TrialGround,
  combinations: readonly Combination[],
  width: number,
): Promise<void> {
  const eager: TrialGround = { ...ground, breathe: () => Promise.resolve() };
  for (let first = 0; first < combinations.length; first += width) {
    const together = combinations.slice(first, first + width);
    await Promise.all(together.map(({ parameters }) => runTrial(eager, parameters)));
  }
}

async function inThreads(pool: TrialRunner, combinations: readonly Combination[]): Promise<void> {
  await Promise.all(combinations.map(({ parameters }) => pool.run(parameters)));
}

async function aStatistics(ground: TrialGround, { parameters }: Combination): Promise<Case> {
  const record = await replayTrial(ground, parameters);
  return {
    name: `statistics of ${String(record.fills.length)} fills`,
    unit: 'ms',
    better: 'less',
    run: () => milliseconds(() => computeStatistics(record)),
  };
}
