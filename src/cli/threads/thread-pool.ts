import { openAnswer, THREAD_FUNCTION, type ThreadAnswer } from './thread-answer.js';

export interface ThreadPoolOptions<Setup> {
  /** Compiled module that runs in each thread; it exports {@link THREAD_FUNCTION}. */
  readonly entry: URL;
  readonly jobs: number;
  /** What each thread is given once. Shared memory in it is shared, everything else is copied. */
  readonly setup: Setup;
}

/** Threads that run tasks of one kind, each thread one after the other. */
export interface ThreadPool<Task, Answer> {
  /** How many threads. */
  readonly jobs: number;
  /**
   * Has the next free thread run a task.
   *
   * @throws {DataError} or {InvariantError} as the thread's function, see `openAnswer`; anything else when the thread broke down over the
   * task, which takes no other task with it, or when the pool was closed.
   */
  run(task: Task): Promise<Answer>;
  /** Ends all threads at once, whatever they do. */
  close(): Promise<void>;
}

/** Starts threads; they live until the pool is closed. */
export async function createThreadPool<Setup, Task, Answer>({
  entry,
  jobs,
  setup,
}: ThreadPoolOptions<Setup>): Promise<ThreadPool<Task, Answer>> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina<Task, ThreadAnswer<Answer>>({
    filename: entry.href,
    name: THREAD_FUNCTION,
    minThreads: jobs,
    maxThreads: jobs,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: setup,
  });
  // A thread that breaks while it has nothing to do is replaced; it has taken no task with it.
  pool.on('error', () => undefined);
  return {
    jobs,
    run: async (task) => openAnswer(await pool.run(task)),
    close: () => pool.destroy(),
  };
}
