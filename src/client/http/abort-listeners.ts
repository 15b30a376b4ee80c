import { setMaxListeners } from 'node:events';

// Adding a listener costs microseconds for each order. So a call listens only while it waits.

/**
 * Calls `handler` with the reason of each signal that is aborted. Returns a function that removes the listeners: signals may live as long as a bot,
 * and calls are many. One signal may stop a whole bot, so many listeners are no leak.
 */
export function onAnyAbort(
  signals: readonly AbortSignal[],
  handler: (reason: unknown) => void,
): () => void {
  const listener = ({ target }: Event): void => {
    handler((target as AbortSignal).reason);
  };
  for (const signal of signals) {
    setMaxListeners(0, signal);
    signal.addEventListener('abort', listener);
  }
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', listener);
  };
}

/** @throws the reason of the first aborted signal. */
export function throwIfAnyAborted(signals: readonly AbortSignal[]): void {
  for (const signal of signals) signal.throwIfAborted();
}
