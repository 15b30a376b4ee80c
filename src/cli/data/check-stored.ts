import { setImmediate as nextTurn } from 'node:timers/promises';
import { FileMemory, mapConcurrently, storedBytes, type HoldingKey } from '../../archive/index.js';
import { jobsFor } from '../threads/jobs.js';
import { createThreadPool, type ThreadPool } from '../threads/thread-pool.js';
import { checkOne, type CheckBatch, type CheckWhere } from './check-one.js';
import type { CheckedCandles } from './checked-candles.js';

/** The series to check, and the options of the check. */
export interface StoredCheck extends Omit<CheckWhere, 'memory'> {
  readonly keys: readonly HoldingKey[];
  /** Number of threads, also if there is little to do. @defaultValue as many as pay, at most one per core; none if there is little to do */
  readonly jobs: number | undefined;
  /** Ends the check, which then rejects. */
  readonly signal: AbortSignal;
  /** Module that runs in the threads. @defaultValue the compiled one beside this */
  readonly entry?: URL | undefined;
}

/** Checks stored series, in threads if that pays. The results are in the order of the series, for any number of threads. */
export async function checkStored(check: StoredCheck): Promise<readonly CheckedCandles[]> {
  const jobs = check.jobs ?? jobsThatPay(check);
  return jobs === 0 ? checkHere(check) : checkInThreads(check, jobs);
}

/** Bytes that keep a core busy for 0.3 s. Starting a thread takes 0.1 s of that; with less, two threads on two cores gained nothing. */
const BYTES_OF_A_THREAD = 128 * 1024 * 1024;
/** The time to find and open a series, expressed in bytes of rows. */
const BYTES_OF_A_SERIES = 32 * 1024;

/** One thread per core if there are enough bytes for each, otherwise fewer; none if there are too few for two threads. */
function jobsThatPay({ keys, directory }: StoredCheck): number {
  const most = jobsFor(Infinity, undefined);
  let bytes = 0;
  for (const key of keys) {
    bytes += BYTES_OF_A_SERIES + storedBytes(directory, key);
    if (bytes >= Math.max(2, most) * BYTES_OF_A_THREAD) return most;
  }
  const jobs = Math.floor(bytes / BYTES_OF_A_THREAD);
  return jobs < 2 ? 0 : Math.min(jobs, most);
}

async function checkHere({
  keys,
  directory,
  maxGapMs,
  signal,
}: StoredCheck): Promise<readonly CheckedCandles[]> {
  const memory = new FileMemory();
  const checked: CheckedCandles[] = [];
  for (const key of keys) {
    // Files are read synchronously, so Ctrl-C is noticed only between two of them.
    await nextTurn();
    signal.throwIfAborted();
    checked.push(await checkOne(key, { directory, maxGapMs, memory }));
  }
  return checked;
}

/** Batches per thread. Many batches make all threads end at about the same time. */
const BATCHES = 16;
/** Series of a batch. One answer of a thread takes as long as checking some 10,000 rows. */
const MOST_IN_BATCH = 16;
/** Batches that are queued ahead, so that no thread waits for its next batch. */
const AHEAD = 1;

async function checkInThreads(
  { keys, directory, maxGapMs, signal, entry = THREAD }: StoredCheck,
  wanted: number,
): Promise<readonly CheckedCandles[]> {
  const jobs = jobsFor(keys.length, wanted);
  const size = Math.min(MOST_IN_BATCH, Math.ceil(keys.length / (jobs * BATCHES)));
  const pool: ThreadPool<CheckBatch, readonly CheckedCandles[]> = await createThreadPool({
    entry,
    run: 'checkInThread',
    jobs,
    setup: undefined,
  });
  const interrupt = (): void => void pool.close();
  signal.addEventListener('abort', interrupt);
  try {
    const checked = await mapConcurrently(inBatches(keys, size), jobs + AHEAD, (batch) => {
      signal.throwIfAborted();
      return pool.run({ directory, maxGapMs, keys: batch });
    });
    return checked.flat();
  } finally {
    signal.removeEventListener('abort', interrupt);
    await pool.close();
  }
}

const THREAD = new URL('./check-stored.thread.js', import.meta.url);

function inBatches<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}
