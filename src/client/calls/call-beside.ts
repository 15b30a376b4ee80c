import { onAnyAbort } from '../http/abort-listeners.js';
import type { Timers } from '../ports.js';

/** One try of a call. It calls `onSent` when its request is sent. Before that it waits for its turn, and another try would only wait behind it. */
type Try<T> = (signal: AbortSignal, onSent: () => void) => Promise<T>;

interface BesideOptions {
  readonly timers: Timers;
  /** Time without an answer after which another request is sent in parallel, in ms. */
  readonly afterMs: number;
  /** Ends all tries. */
  readonly signal: AbortSignal;
}

/**
 * Makes a repeatable call, and repeats it in parallel each time that there was no answer for `afterMs`: after a silent network cut, the answer to the
 * first request never comes. Only the first and the newest try are waited for. The first answer counts, and the other try ends.
 *
 * @throws errors of the first try; failures of other tries are ignored.
 */
export async function callBeside<T>(
  attempt: Try<T>,
  { timers, afterMs, signal }: BesideOptions,
): Promise<T> {
  signal.throwIfAborted();
  const first = new AbortController();
  let newest: AbortController | undefined;
  let cancel = (): void => undefined;
  const letGo = onAnyAbort([signal], () => {
    first.abort(signal.reason);
  });
  try {
    return await new Promise<T>((resolve, reject) => {
      const begin = (): void => {
        newest?.abort();
        const controller = new AbortController();
        newest = controller;
        attempt(controller.signal, arm).then(resolve, () => {
          if (!controller.signal.aborted) arm();
        });
      };
      const arm = (): void => {
        cancel();
        cancel = timers.after(afterMs, begin);
      };
      attempt(first.signal, arm).then(resolve, reject);
    });
  } finally {
    cancel();
    letGo();
    first.abort();
    newest?.abort();
  }
}
