/** Entry of each thread of a sweep. It is set up once, and then runs one combination after the other. */
import { workerData } from 'piscina';
import { runTrial, type TrialJob } from '../../research/index.js';
import { sendConsoleToStderr } from '../console-to-stderr.js';
import { answering } from '../threads/thread-answer.js';
import { TrialGrounds } from './trial-ground.js';
import type { TrialSetup } from './trial-pool.js';

sendConsoleToStderr();
const grounds = new TrialGrounds(workerData as TrialSetup);

export const runTrialInThread = answering(async ({ parameters, ...where }: TrialJob) =>
  runTrial(await grounds.of(where), parameters),
);
