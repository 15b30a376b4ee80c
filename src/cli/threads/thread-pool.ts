import { setImmediate as nextTurn } from 'node:timers/promises';
import { openAnswer, TASK_STATE, type SentTask, type ThreadAnswer } from './thread-answer.js';

export interface ThreadPoolOptions<Setup> {
  /** Compiled module that runs in each thread. */
  readonly entry: URL;
  /** Name of the exported function that runs a task; {@link answering} made it. */
  readonly run: string;
  readonly jobs: number;
  /** Data that each thread receives once. Shared memory in it is shared, everything else is copied. */
  readonly setup: Setup;
}

/** A pool of threads for tasks of one kind. Each thread runs one task after the other. */
export interface ThreadPool<Task, Answer> {
  /** Number of threads. */
  readonly jobs: number;
  /**
   * Runs a task on the next free thread. A thread has one task that runs and one that waits, because otherwise it would be idle for half a
   * millisecond between two tasks.
   *
   * @throws {DataError} or {InvariantError} as the thread's function, see `openAnswer`; another error when the thread crashed during the
   * task, which fails no other task, or when the pool was closed.
   */
  run(task: Task): Promise<Answer>;
  /** Ends all threads at once, also during their tasks. */
  close(): Promise<void>;
}

/** Tasks of one thread: one runs, one waits. */
const TASKS_IN_HAND = 2;
/**
 * Makes the pool load the entry with `import`; by default it uses `require` if it can. Node aborts the whole process (SIGABRT) when it ends a thread within the
 * `require` of a module.
 */
const LOADS_BY_IMPORT = '--no-experimental-require-module';

/** Starts threads, which live until the pool is closed. */
export async function createThreadPool<Setup, Task, Answer>({
  entry,
  run,
  jobs,
  setup,
}: ThreadPoolOptions<Setup>): Promise<ThreadPool<Task, Answer>> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina<SentTask<Task>, ThreadAnswer<Answer>>({
    filename: entry.href,
    name: run,
    minThreads: jobs,
    maxThreads: jobs,
    concurrentTasksPerWorker: TASKS_IN_HAND,
    idleTimeout: Number.POSITIVE_INFINITY,
    execArgv: [LOADS_BY_IMPORT],
    workerData: setup,
  });
  // The pool replaces a thread that crashes without a task, and no task fails.
  pool.on('error', () => undefined);
  let isClosed = false;
  /** Errors of threads that crashed during a task. */
  const breaks = new Set<unknown>();
  const send = async (task: Task): Promise<ThreadAnswer<Answer>> => {
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    try {
      return await pool.run({ task, state });
    } catch (error: unknown) {
      if (Atomics.load(state, 0) === TASK_STATE.running) {
        breaks.add(error);
        throw error;
      }
      // A crash rejects all tasks of the thread at once. In the next turn the error of its running task is in `breaks`.
      await nextTurn();
      if (isClosed || !breaks.has(error)) throw error;
      return send(task);
    }
  };
  return {
    jobs,
    run: async (task) => openAnswer(await send(task)),
    close: () => {
      isClosed = true;
      return pool.destroy();
    },
  };
}
