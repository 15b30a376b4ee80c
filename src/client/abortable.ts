import { onAbort, throwIfAnyAborted } from './abort-listeners.js';

/** Waits for work that others share, without ending it when a signal is aborted. @throws the signal's reason then. */
export async function abortable<T>(
  work: Promise<T>,
  ...signals: readonly AbortSignal[]
): Promise<T> {
  // Nobody waits for it where a signal is aborted already; what comes of it is told to those who share it.
  work.catch(() => undefined);
  throwIfAnyAborted(signals);
  let letGo = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    letGo = onAbort(signals, () => {
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
