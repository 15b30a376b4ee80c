/** Waits for work that others share, without ending it when the signal is aborted. @throws the signal's reason then. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => {
      resolve(undefined);
    };
    signal.addEventListener('abort', stop);
  });
  try {
    const first = await Promise.race([work.then((value) => ({ value })), aborted]);
    if (first !== undefined) return first.value;
    signal.throwIfAborted();
    return await work;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
