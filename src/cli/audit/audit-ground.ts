import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  runAuditJob,
  type AuditGround,
  type AuditJob,
  type AuditRun,
} from '../../research/index.js';
import { loadSamePlugin } from '../sweep/trial-ground.js';
import type { TrialSetup } from '../sweep/trial-pool.js';

/** The setup of a thread of an audit, sent once. Its columns are shared memory; everything else is copied. */
export interface AuditSetup extends TrialSetup {
  /** Error of the thread's clock, in ms. */
  readonly clockOffsetMs: number;
}

/** Loads the plugin once for all jobs of the thread. An error of loading becomes the error of every job. */
export function openAuditGround(setup: AuditSetup): (job: AuditJob) => Promise<AuditRun> {
  const ground = loadSamePlugin(setup).then(({ strategyClass }): AuditGround => ({
    snapshot: setup.snapshot,
    strategyClass,
    sourceHash: setup.sourceHash,
    breathe: () => nextTurn(),
  }));
  // Each job awaits `ground` and receives its failure.
  ground.catch(() => undefined);
  return async (job) => runAuditJob(await ground, job);
}
