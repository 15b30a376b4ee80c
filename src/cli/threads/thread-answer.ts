import { DataError, InvariantError, TradingError, type ErrorCode } from '../../domain/index.js';

/** A task on its way to a thread. */
export interface SentTask<Task> {
  readonly task: Task;
  /** One number of {@link TASK_STATE}, in shared memory, because a thread that crashes can send no message. */
  readonly state: Int32Array;
}

/** State of a task in its thread. */
export const TASK_STATE = { waiting: 0, running: 1, done: 2 } as const;

/** Answer of a thread to a task. An error loses its class on the way between threads, so it is sent as its parts. */
export type ThreadAnswer<Answer> =
  | { readonly status: 'done'; readonly answer: Answer }
  | {
      readonly status: 'failed';
      readonly isBug: boolean;
      readonly code: ErrorCode;
      readonly message: string;
    };

/**
 * Makes the exported function of a thread from the work on a task. Tasks run one after the other, in the order of their arrival. A `TradingError`
 * becomes an answer.
 */
export function answering<Task, Answer>(
  work: (task: Task) => Promise<Answer>,
): (sent: SentTask<Task>) => Promise<ThreadAnswer<Answer>> {
  let before: Promise<unknown> = Promise.resolve();
  return ({ task, state }) => {
    const answered = before.then(async () => {
      Atomics.store(state, 0, TASK_STATE.running);
      const answer = await answerTo(task, work);
      Atomics.store(state, 0, TASK_STATE.done);
      return answer;
    });
    before = answered.catch(() => undefined);
    return answered;
  };
}

async function answerTo<Task, Answer>(
  task: Task,
  work: (task: Task) => Promise<Answer>,
): Promise<ThreadAnswer<Answer>> {
  try {
    return { status: 'done', answer: await work(task) };
  } catch (error: unknown) {
    if (!(error instanceof TradingError)) throw error;
    const { code, message } = error;
    return { status: 'failed', isBug: error instanceof InvariantError, code, message };
  }
}

/**
 * Returns the result of an answer, or throws its error.
 *
 * @throws {InvariantError} when the thread met a bug; {DataError} with code and message of any other `TradingError`.
 */
export function openAnswer<Answer>(answered: ThreadAnswer<Answer>): Answer {
  if (answered.status === 'done') return answered.answer;
  const { isBug, code, message } = answered;
  throw isBug ? new InvariantError(code, message) : new DataError(code, message);
}
