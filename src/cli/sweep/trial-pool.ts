import { setFlagsFromString } from 'node:v8';
import type { BacktestConfig } from '../../assembly/index.js';
import { DataError } from '../../domain/index.js';
import {
  TrialCrash,
  type Combination,
  type MarketSnapshot,
  type TrialOutcome,
  type TrialRunner,
} from '../../research/index.js';
import { createThreadPool, type ThreadPoolOptions } from '../threads/thread-pool.js';

/** What a thread of a sweep is given once. Its columns are shared, everything else is copied. */
export interface TrialSetup {
  readonly config: BacktestConfig;
  readonly snapshot: MarketSnapshot;
  /** Hash of the plugin as it was when the sweep began. */
  readonly sourceHash: string;
  /** Folder of compiled plugins. */
  readonly cacheFolder: string | undefined;
}

/**
 * How V8 collects the garbage of threads that run one combination after the other, each of which makes anew what a run consists of.
 *
 * - It makes objects of a kind that has mostly outlived a collection where only full collections look. What a run consists of seems to be such;
 *   made there it keeps everything of a run that is over.
 * - It collects in full as soon as a third more is kept than after the last time, where that takes a small part of the time. What a thread
 *   keeps is mostly its candles, which are marked by other threads each time, on cores that runs want: now it may keep four times as much.
 */
const COLLECTION = ['--no-allocation-site-pretenuring', '--heap-growing-percent=300'];

/** Runs combinations in threads of their own, each with one strategy, over one market in shared memory. */
export async function createTrialPool(
  options: ThreadPoolOptions<TrialSetup>,
): Promise<TrialRunner> {
  for (const flag of COLLECTION) setFlagsFromString(flag);
  const pool = await createThreadPool<TrialSetup, Combination['parameters'], TrialOutcome>(options);
  return {
    jobs: pool.jobs,
    run: (parameters) =>
      pool.run(parameters).catch((cause: unknown) => {
        if (cause instanceof DataError) throw cause;
        throw new TrialCrash(cause instanceof Error ? cause.message : String(cause), { cause });
      }),
    close: () => pool.close(),
  };
}
