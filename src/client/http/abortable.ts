import { onAnyAbort, throwIfAnyAborted } from './abort-listeners.js';

/** Waits for shared work, without ending it when a signal is aborted. @throws the signal's reason then. */
export async function abortable<T>(
  work: Promise<T>,
  ...signals: readonly AbortSignal[]
): Promise<T> {
  // If a signal is already aborted, this caller does not wait; other callers get the outcome.
  work.catch(() => undefined);
  throwIfAnyAborted(signals);
  let letGo = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    letGo = onAnyAbort(signals, () => {
      resolve(undefined);
    });
  });
  try {
    const first = await Promise.race([work.then((value) => ({ value })), aborted]);
    if (first !== undefined) return first.value;
    throwIfAnyAborted(signals);
    return await work;
  } finally {
    letGo();
  }
}
