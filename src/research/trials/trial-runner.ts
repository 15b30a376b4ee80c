import type { TrialJob } from './trial-job.js';
import type { TrialRun } from './run-trial.js';

/** Runs combinations, at most `jobs` at once. */
export interface TrialRunner {
  /** Number of runs at once. */
  readonly jobs: number;
  /**
   * Runs one combination.
   *
   * @throws {TrialCrash} when the combination broke its thread or worker; the next one gets a working one. Any other error ends the sweep.
   */
  run(job: TrialJob): Promise<TrialRun>;
  /** Stops all running combinations at once. */
  close(): Promise<void>;
}

/** A combination that broke its thread or worker, for example by a rejected promise or for lack of memory. It may not do so again. */
export class TrialCrash extends Error {}
