import type { TrialJob, TrialOutcome, TrialRunner } from '../../research/index.js';
import type { CliContext, CreateTrialRunner } from '../cli-context.js';
import { createTrialPool, type TrialSetup } from './trial-pool.js';

const inThreads: CreateTrialRunner = (setup, jobs) =>
  createTrialPool({ entry: new URL('./run-trial.thread.js', import.meta.url), jobs, setup });

/** Starts the runner of combinations, with `jobs` at once. The caller must close it. */
export function startTrialRunner(
  { createTrialRunner = inThreads }: Pick<CliContext, 'createTrialRunner'>,
  setup: TrialSetup,
  jobs: number,
): Promise<TrialRunner> {
  return createTrialRunner(setup, jobs);
}

/** Runs one combination in a new thread, which loads the plugin again. So no data from other combinations can remain in the plugin. */
export async function runAlone(
  context: Pick<CliContext, 'createTrialRunner' | 'signal'>,
  setup: TrialSetup,
  job: TrialJob,
): Promise<TrialOutcome> {
  const { signal } = context;
  const runner = await startTrialRunner(context, setup, 1);
  const interrupt = (): void => void runner.close();
  signal.addEventListener('abort', interrupt);
  try {
    signal.throwIfAborted();
    return (await runner.run(job)).outcome;
  } catch (error: unknown) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    await runner.close();
  }
}
