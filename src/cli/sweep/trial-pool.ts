import type { BacktestConfig } from '../../assembly/index.js';
import { DataError } from '../../domain/index.js';
import {
  TrialCrash,
  type MarketSnapshot,
  type TrialJob,
  type TrialRun,
  type TrialRunner,
} from '../../research/index.js';
import { createThreadPool, type ThreadPoolOptions } from '../threads/thread-pool.js';
import {
  collectSeldomInFull,
  compileOrdersWhole,
  keepListsAlike,
  keepYoungObjectsYoung,
} from '../v8-flags.js';

/** The setup of a thread of a sweep, sent once. Its columns are shared memory; everything else is copied. */
export interface TrialSetup {
  readonly config: BacktestConfig;
  readonly snapshot: MarketSnapshot;
  /** Hash of the plugin at the begin of the sweep. */
  readonly sourceHash: string;
  /** Folder of compiled plugins. */
  readonly cacheFolder: string | undefined;
}

/** Makes a runner of combinations in threads. Each thread has its own strategy; all share one market in memory. */
export async function createTrialPool(
  options: Omit<ThreadPoolOptions<TrialSetup>, 'run'>,
): Promise<TrialRunner> {
  keepYoungObjectsYoung();
  collectSeldomInFull();
  compileOrdersWhole();
  keepListsAlike();
  const pool = await createThreadPool<TrialSetup, TrialJob, TrialRun>({
    ...options,
    run: 'runTrialInThread',
  });
  return {
    jobs: pool.jobs,
    run: (job) =>
      pool.run(job).catch((cause: unknown) => {
        if (cause instanceof DataError) throw cause;
        throw new TrialCrash(cause instanceof Error ? cause.message : String(cause), { cause });
      }),
    close: () => pool.close(),
  };
}
