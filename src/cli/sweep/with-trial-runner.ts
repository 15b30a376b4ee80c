import type { SweepProgress, TrialRunner } from '../../research/index.js';
import type { CliContext } from '../cli-context.js';
import type { QueueUse } from '../queue/queue-place.js';
import { jobsFor } from '../threads/jobs.js';
import { SweepProgressLine } from './sweep-progress.js';
import type { TrialSetup } from './trial-pool.js';
import { startTrialRunner } from './trial-threads.js';

interface RunnerUse {
  readonly context: CliContext;
  readonly setup: TrialSetup;
  /** Most combinations that may run. */
  readonly count: number;
  /** Number of threads in the options. */
  readonly jobs: number | undefined;
  /** Queue whose workers run the combinations. @defaultValue threads of this machine */
  readonly queue?: QueueUse | undefined;
}

/** Runs combinations, and publishes the progress of the search. */
interface SearchRunner extends TrialRunner {
  /** `leftMs`: estimated time for the rest, at the pace so far. */
  readonly tell?: (progress: SweepProgress, leftMs: number | undefined) => void;
}

/** Starts the runner of combinations: threads, or the workers of a queue. The caller must close it. */
export async function startRunner(use: RunnerUse): Promise<SearchRunner> {
  const { context, setup, count, jobs, queue } = use;
  if (queue === undefined) return startTrialRunner(context, setup, jobsFor(count, jobs));
  const { startQueueRunner } = await import('../queue/start-queue-runner.js');
  return startQueueRunner(use, queue);
}

/** Starts the runner of combinations and a line with the progress, and ends both however `use` ends. */
export async function withTrialRunner<T>(
  runnerUse: RunnerUse,
  use: (
    runner: TrialRunner,
    onProgress: (state: SweepProgress, best?: string) => void,
  ) => Promise<T>,
): Promise<T> {
  const runner = await startRunner(runnerUse);
  const progress = new SweepProgressLine(runnerUse.context.stderr);
  try {
    return await use(runner, (state, best) => {
      progress.show(state, best);
      runner.tell?.(state, progress.leftMs(state));
    });
  } finally {
    progress.clear();
    await runner.close();
  }
}
