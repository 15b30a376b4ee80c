/** What runs in each thread of a sweep: it is set up once, and then runs one combination after the other. */
import { workerData } from 'piscina';
import { TradingError } from '../../domain/index.js';
import {
  runTrial,
  type Combination,
  type ThreadAnswer,
  type ThreadSetup,
} from '../../research/index.js';
import { createTrialGround } from './trial-ground.js';

const ground = createTrialGround(workerData as ThreadSetup).catch((error: unknown) => {
  // A class does not survive the way between threads.
  if (!(error instanceof TradingError)) throw error;
  return { status: 'unfit', code: error.code, message: error.message } as const;
});

/** Runs one combination; its name is `THREAD_FUNCTION`. */
export async function runInThread(parameters: Combination['parameters']): Promise<ThreadAnswer> {
  const ready = await ground;
  return 'status' in ready ? ready : runTrial(ready, parameters);
}
