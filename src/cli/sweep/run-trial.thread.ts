/** What runs in each thread of a sweep: it is set up once, and then runs one combination after the other. */
import { workerData } from 'piscina';
import { runTrial, type Combination } from '../../research/index.js';
import { sendConsoleToStderr } from '../console-to-stderr.js';
import { answering } from '../threads/thread-answer.js';
import { createTrialGround } from './trial-ground.js';
import type { TrialSetup } from './trial-pool.js';

sendConsoleToStderr();
const ground = createTrialGround(workerData as TrialSetup);
// Whoever waits for it hears of its failure.
ground.catch(() => undefined);

/** Runs one combination. */
export const runTrialInThread = answering(async (parameters: Combination['parameters']) =>
  runTrial(await ground, parameters),
);
