import type { BacktestConfig } from '../../assembly/index.js';
import { DataError, type ErrorCode } from '../../domain/index.js';
import type { Combination } from '../search/search-space.js';
import type { MarketSnapshot } from './market-snapshot.js';
import { TrialCrash, type TrialRunner } from './trial-runner.js';
import type { TrialOutcome } from './trial-schema.js';

/** What a thread of a pool is given once. Its columns are shared, everything else is copied. */
export interface ThreadSetup {
  readonly config: BacktestConfig;
  readonly snapshot: MarketSnapshot;
  /** Hash of the plugin as it was when the sweep began. */
  readonly sourceHash: string;
  /** Folder of compiled plugins. */
  readonly cacheFolder: string | undefined;
}

/** What a thread answers to a combination: its outcome, or why it cannot run any. */
export type ThreadAnswer =
  TrialOutcome | { readonly status: 'unfit'; readonly code: ErrorCode; readonly message: string };

/** Name of the function that the entry of a thread exports: from parameters to a {@link ThreadAnswer}. */
export const THREAD_FUNCTION = 'runInThread';

export interface TrialPoolOptions {
  /** Compiled module that runs in each thread. */
  readonly entry: URL;
  readonly jobs: number;
  readonly setup: ThreadSetup;
}

/** Runs combinations in threads of their own, each with one strategy, over one market in shared memory. */
export async function createTrialPool({
  entry,
  jobs,
  setup,
}: TrialPoolOptions): Promise<TrialRunner> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina<Combination['parameters'], ThreadAnswer>({
    filename: entry.href,
    name: THREAD_FUNCTION,
    minThreads: jobs,
    maxThreads: jobs,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: setup,
  });
  // A thread that breaks while it has nothing to do is replaced; it has taken no combination with it.
  pool.on('error', () => undefined);
  return {
    jobs,
    run: async (parameters) => {
      const answer = await pool.run(parameters).catch((cause: unknown) => {
        throw new TrialCrash(cause instanceof Error ? cause.message : String(cause), { cause });
      });
      if (answer.status === 'unfit') throw new DataError(answer.code, answer.message);
      return answer;
    },
    close: () => pool.destroy(),
  };
}
