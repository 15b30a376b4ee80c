import {
  countCommands,
  describeDifference,
  findDifference,
  type BacktestConfig,
} from '../../assembly/backtest/index.js';
import { DAY_MS } from '../../domain/index.js';
import { proofOf, type AuditSubject } from './audit-desk.js';
import type { AuditPlace, AuditRun, AuditRunner } from './audit-job.js';
import type { Audit } from './audit-schema.js';

type Determinism = NonNullable<Audit['determinism']>;

/** Moves the clock to another year, month, weekday, hour and second. */
const OTHER_TIME_MS = 400 * DAY_MS + 11_111_111;
/** Number of runs in the runner of the base run, and in another runner. */
export const REPEATS = { same: 2, elsewhere: 2 } as const;

/** Runs of one bot on one market that must be alike. */
export interface Repeats {
  /** Again in the runner of the base run, which may have left state behind. */
  readonly again: AuditRun;
  /** In another runner with another clock, after a run in another order of instruments. */
  readonly elsewhere: AuditRun;
  /** With another seed. */
  readonly seeded: AuditRun;
}

/** Runs the bot again. `runner`: the runner of the base run. */
export async function repeatRuns(
  config: BacktestConfig,
  runner: AuditRunner,
  startRunner: (place: AuditPlace) => Promise<AuditRunner>,
): Promise<Repeats> {
  const again = await runner.run({ config });
  const { simulation } = config;
  const seeded = await runner.run({
    config: { ...config, simulation: { ...simulation, seed: simulation.seed + 1 } },
    isObserved: true,
  });
  const other = await startRunner({ jobs: 1, clockOffsetMs: OTHER_TIME_MS });
  try {
    await other.run({ config, order: 'reversed' });
    return { again, seeded, elsewhere: await other.run({ config }) };
  } finally {
    await other.close();
  }
}

/** Judges whether runs that must be alike are alike: in their steps, and in every byte of the result. */
export function judgeRepeats(
  { config, base }: Pick<AuditSubject, 'config' | 'base'>,
  { again, elsewhere, seeded }: Repeats,
  { findings, notes }: Pick<Determinism, 'findings' | 'notes'>,
): Determinism {
  const { submit, cancel } = config.simulation.latency;
  const isDrawn = seeded.drawsRandom || submit.min < submit.max || cancel.min < cancel.max;
  const differs = [
    ...compare(base, again, ['in one run', 'in the next in the same thread']),
    ...compare(base, elsewhere, ['in one run', 'in another thread at another time']),
    ...(isDrawn ? [] : compareSteps(base, seeded, ['with one seed', 'with another'])),
  ];
  const commands = countCommands(base.trace);
  return {
    ...proofOf([...findings, ...differs], commands === 0 ? 'no orders to compare' : null),
    commands,
    seed: isDrawn ? 'drawn' : 'other',
    notes,
  };
}

/** Whether two equal runs did the same. If not, nothing else can be judged. */
export function areAlike(base: AuditRun, { again }: Repeats): boolean {
  return compareSteps(base, again, ['', '']).length === 0;
}

type Names = readonly [string, string];

function compareSteps(one: AuditRun, other: AuditRun, names: Names): readonly string[] {
  const difference = findDifference(one.trace, other.trace);
  if (difference === undefined) return [];
  const said = describeDifference(difference, names);
  return [`two runs on the same candles differ ${said} (E_PLUGIN_DIFFERS)`];
}

function compare(one: AuditRun, other: AuditRun, names: Names): readonly string[] {
  const steps = compareSteps(one, other, names);
  if (steps.length > 0 || one.bytes === other.bytes) return steps;
  return [`the results of two runs on the same candles differ (E_PLUGIN_DIFFERS)`];
}
