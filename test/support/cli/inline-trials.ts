import type { CreateTrialRunner } from '../../../src/cli/cli-context.js';
import { TrialGrounds } from '../../../src/cli/sweep/trial-ground.js';
import { inlineRunner } from '../research/trial-ground.js';

/** Threads run compiled code. Here the trials run in the thread of the test. */
export const createTrialRunner: CreateTrialRunner = async (setup, jobs) =>
  inlineRunner(new TrialGrounds(setup), jobs);
