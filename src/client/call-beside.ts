import { onAbort } from './abort-listeners.js';
import type { Timers } from './ports.js';

/** One try of a call. It calls `onSent` when its request leaves: until then it waits for its turn, and another would wait behind it. */
export type Try<T> = (signal: AbortSignal, onSent: () => void) => Promise<T>;

interface BesideOptions {
  readonly timers: Timers;
  /** How long a request may have no answer before another is sent beside it, in ms. */
  readonly afterMs: number;
  /** Ends all of it. */
  readonly signal: AbortSignal;
}

/**
 * Makes a call that may be repeated again beside the first, each time that nothing was answered for so long: where a network was cut silently, an
 * answer to what was asked before never comes. The first and the newest are waited for; whichever is answered sooner counts, and the others end.
 *
 * @throws what the first try throws: a failure of the others says nothing that it does not say.
 */
export async function callBeside<T>(
  attempt: Try<T>,
  { timers, afterMs, signal }: BesideOptions,
): Promise<T> {
  signal.throwIfAborted();
  const first = new AbortController();
  let newest: AbortController | undefined;
  let cancel = (): void => undefined;
  const letGo = onAbort([signal], () => {
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
