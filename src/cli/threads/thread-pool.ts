import { setImmediate as nextTurn } from 'node:timers/promises';
import { openAnswer, TASK_STATE, type SentTask, type ThreadAnswer } from './thread-answer.js';

export interface ThreadPoolOptions<Setup> {
  /** Compiled module that runs in each thread. */
  readonly entry: URL;
  /** What of it runs a task: the name of an exported function that {@link answering} made. */
  readonly run: string;
  readonly jobs: number;
  /** What each thread is given once. Shared memory in it is shared, everything else is copied. */
  readonly setup: Setup;
}

/** Threads that run tasks of one kind, each thread one after the other. */
export interface ThreadPool<Task, Answer> {
  /** How many threads. */
  readonly jobs: number;
  /**
   * Has the next free thread run a task. A thread has one that it runs and one that waits there: between two it would have to wait for half a
   * millisecond.
   *
   * @throws {DataError} or {InvariantError} as the thread's function, see `openAnswer`; anything else when the thread broke down over the
   * task, which takes no other task with it, or when the pool was closed.
   */
  run(task: Task): Promise<Answer>;
  /** Ends all threads at once, whatever they do. */
  close(): Promise<void>;
}

/** Of a thread: one runs, one waits. */
const TASKS_IN_HAND = 2;
/**
 * The pool loads the entry with `require` where it can, else with `import`. Node breaks the whole process off (SIGABRT) where it ends a thread
 * that is within the `require` of a module.
 */
const LOADS_BY_IMPORT = '--no-experimental-require-module';

/** Starts threads; they live until the pool is closed. */
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
  // A thread that breaks while it has nothing to do is replaced; it has taken no task with it.
  pool.on('error', () => undefined);
  let isClosed = false;
  /** What threads broke down with over a task that they ran. */
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
      // All tasks that a thread had are told of its end at once.
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
