/**
 * Runs per second of a sweep whose positions all have a stop 1 % below and a target 1 % above: the 100 pairs of averages of sweep.bench.ts over the
 * same candles, in one thread, one run after the other, and by hand. PAIRS=N takes only N of the pairs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TrialGrounds } from '../../src/cli/sweep/trial-ground.js';
import { present } from '../../src/domain/index.js';
import { guardAveragesByHand, HAND_BRACKET } from './guarded-work.js';
import { measure } from './measure.js';
import { createSweepSetup, drawPairs, inTurns, periodsOf, rates } from './sweep-work.js';

const BY_HAND = 'guarded, by hand';
const EXITS = { ...HAND_BRACKET, sampleMs: 1_000 } as const;

const SOURCE = `import { CandleStrategy, int, sma } from 'evenkeel';

const protection = { stopLoss: { ratio: '0.01' }, takeProfit: { ratio: '0.01' } };

export class GuardedWhileAbove extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  override onCandle(): void {
    if (this.fast.value > this.slow.value) this.enterLong({ quantity: '1' }, { protection });
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
  const pairs = drawPairs(Number(process.env['PAIRS'] ?? 100));
  const { columns } = present(setup.snapshot.series[0], 'series');
  let [fills, equity, handFills, handEquity] = [0, 0, 0, 0];
  const byHand = (): void => {
    const results = pairs.map(({ parameters }) =>
      guardAveragesByHand(columns, periodsOf(parameters), EXITS),
    );
    handFills = results.reduce((sum, result) => sum + result.fills, 0);
    handEquity = results.reduce((sum, result) => sum + (result.equity ?? Number.NaN), 0);
  };
  const ours = async (): Promise<void> => {
    const outcomes = await inTurns(ground, pairs, 1);
    const finished = outcomes.flatMap((outcome) => (outcome.status === 'finished' ? outcome : []));
    fills = finished.reduce((sum, outcome) => sum + outcome.fills, 0);
    equity = finished.reduce((sum, outcome) => sum + Number(outcome.equity.final), 0);
  };
  await measure(
    [
      ...rates(BY_HAND, pairs.length, byHand),
      ...rates('guarded, one thread', pairs.length, ours, BY_HAND),
    ],
    { rounds: 5, seconds: 45 },
  );
  if (fills !== handFills || Math.abs(equity - handEquity) > 0.01) process.exitCode = 1;
  console.log(
    `guarded: ${String(fills)} fills, equity ${equity.toFixed(2)}; by hand ${String(handFills)} fills, equity ${handEquity.toFixed(2)}`,
  );
}
