/**
 * Runs per second of a sweep: 100 pairs of averages (5 to 50, 60 to 240) over 100,000 candles of the reference work, in threads as the command
 * runs them; in one thread of the bench, one run after the other and several fed in turns of 2,048 candles; and by hand. The parts that a
 * sweep adds to its runs are timed by themselves. PAIRS=N takes only N of the pairs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TrialGrounds } from '../../src/cli/sweep/trial-ground.js';
import { createTrialPool } from '../../src/cli/sweep/trial-pool.js';
import { present } from '../../src/domain/index.js';
import { computeStatistics } from '../../src/report/index.js';
import {
  replayTrial,
  type Combination,
  type TrialGround,
  type TrialRunner,
} from '../../src/research/index.js';
import { measure, milliseconds, type Case } from './measure.js';
import { runByHand } from './reference-by-hand.js';
import { createSweepSetup, drawPairs, inTurns, periodsOf, rates } from './sweep-work.js';

const PAIRS = Number(process.env['PAIRS'] ?? 100);
/** Number of pairs for the cases in one thread of the bench: fewer, because there are several such cases. */
const FEW = Math.min(20, PAIRS);
const ENTRY = new URL('../../dist/cli/sweep/run-trial.thread.js', import.meta.url);
const BY_HAND = 'by hand';
const ONE_BY_ONE = 'one thread, one by one';

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
  const setup = await createSweepSetup(folder, SOURCE);
  const ground = await new TrialGrounds(setup).of();
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

function threadsOf(jobs: number): string {
  return jobs === 1 ? 'sweep, 1 thread' : `sweep, ${String(jobs)} threads`;
}

async function inThreads(pool: TrialRunner, combinations: readonly Combination[]): Promise<void> {
  await Promise.all(combinations.map(({ parameters }) => pool.run({ parameters })));
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
