import { TradingError } from '../domain/index.js';

/** A run that its caller has ended; `cause` is the signal's reason. */
export class RunAbortedError extends TradingError {
  readonly retryable = false;

  constructor(reason: unknown) {
    super('E_RUN_ABORTED', 'the run was aborted by its caller (E_RUN_ABORTED)', { cause: reason });
  }
}

/**
 * Runs `work` until it ends or `signal` is aborted, whichever comes first. The work receives its own signal and ends at its next chance. The caller does not
 * wait for that.
 *
 * @throws {RunAbortedError} once the signal is aborted, also before the start; otherwise what the work throws.
 */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = (): void => {
      const error = new RunAbortedError(signal?.reason);
      reject(error);
      controller.abort(error);
    };
  });
  // Prevents an unhandled rejection if the work has ended first.
  aborted.catch(() => undefined);
  if (signal?.aborted === true) throw new RunAbortedError(signal.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
