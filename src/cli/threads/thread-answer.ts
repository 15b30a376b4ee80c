import { DataError, InvariantError, TradingError, type ErrorCode } from '../../domain/index.js';

/** What a thread answers to a task. A class does not survive the way between threads, so that an error goes as its parts. */
export type ThreadAnswer<Answer> =
  | { readonly status: 'done'; readonly answer: Answer }
  | {
      readonly status: 'failed';
      readonly isBug: boolean;
      readonly code: ErrorCode;
      readonly message: string;
    };

/** Name of the function that the entry of a thread exports: what {@link answering} makes. */
export const THREAD_FUNCTION = 'runInThread';

/** Makes the function of a thread of what it does with a task: what it throws on purpose becomes an answer. */
export function answering<Task, Answer>(
  work: (task: Task) => Promise<Answer>,
): (task: Task) => Promise<ThreadAnswer<Answer>> {
  return async (task) => {
    try {
      return { status: 'done', answer: await work(task) };
    } catch (error: unknown) {
      if (!(error instanceof TradingError)) throw error;
      const { code, message } = error;
      return { status: 'failed', isBug: error instanceof InvariantError, code, message };
    }
  };
}

/**
 * Opens what a thread answered.
 *
 * @throws {InvariantError} when the thread met a bug; {DataError} with code and message of whatever else it threw on purpose.
 */
export function openAnswer<Answer>(answered: ThreadAnswer<Answer>): Answer {
  if (answered.status === 'done') return answered.answer;
  const { isBug, code, message } = answered;
  throw isBug ? new InvariantError(code, message) : new DataError(code, message);
}
