import type { SweepProgress, TrialRunner } from '../../research/index.js';
import type { CliContext } from '../cli-context.js';
import { SweepProgressLine } from './sweep-progress.js';
import type { TrialSetup } from './trial-pool.js';
import { startTrialRunner } from './trial-threads.js';

export interface RunnerUse {
  readonly context: CliContext;
  readonly setup: TrialSetup;
  readonly jobs: number;
}

/** Starts what runs combinations and a line that says how far they are, and ends both however `use` ends. */
export async function withTrialRunner<T>(
  { context, setup, jobs }: RunnerUse,
  use: (
    runner: TrialRunner,
    onProgress: (state: SweepProgress, best?: string) => void,
  ) => Promise<T>,
): Promise<T> {
  const runner = await startTrialRunner(context, setup, jobs);
  const progress = new SweepProgressLine(context.stderr);
  try {
    return await use(runner, (state, best) => {
      progress.show(state, best);
    });
  } finally {
    progress.clear();
    await runner.close();
  }
}
