import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  runAuditJob,
  type AuditGround,
  type AuditJob,
  type AuditRun,
} from '../../research/index.js';
import { loadSamePlugin } from '../sweep/trial-ground.js';
import type { TrialSetup } from '../sweep/trial-pool.js';

/** What each thread of an audit is given once. Its columns are shared, everything else is copied. */
export interface AuditSetup extends TrialSetup {
  /** What its clock is wrong by, in ms. */
  readonly clockOffsetMs: number;
}

/** Loads the plugin, once for all jobs that come. Errors of loading are those of the first job. */
export function openAuditGround(
  setup: AuditSetup,
  signal?: AbortSignal,
): (job: AuditJob) => Promise<AuditRun> {
  const ground = loadSamePlugin(setup).then(({ strategyClass }): AuditGround => ({
    snapshot: setup.snapshot,
    strategyClass,
    sourceHash: setup.sourceHash,
    breathe: () => nextTurn(),
    signal,
  }));
  // Whoever waits for it hears of its failure.
  ground.catch(() => undefined);
  return async (job) => runAuditJob(await ground, job);
}
