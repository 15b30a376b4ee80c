import type { TrialJob } from './trial-job.js';
import type { TrialRun } from './run-trial.js';

/** Runs combinations, as many at once as it was made for. */
export interface TrialRunner {
  /** How many run at once. */
  readonly jobs: number;
  /**
   * Runs one combination.
   *
   * @throws {TrialCrash} when what runs it broke down over it: the next one finds it whole again. Anything else ends the sweep.
   */
  run(job: TrialJob): Promise<TrialRun>;
  /** Ends what is running, at once. */
  close(): Promise<void>;
}

/** A combination that broke what ran it: a promise that was rejected, more memory than there is. It may not do so again. */
export class TrialCrash extends Error {}
