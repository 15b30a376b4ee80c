/** Signals as one. */
export interface JoinedSignals {
  /** Aborted with the first of them, for its reason. */
  readonly signal: AbortSignal;
  /** Lets go of them: signals may live as long as a bot, and calls are many. */
  readonly release: () => void;
}

/** Joins two signals, of which the second may be missing. */
export function joinSignals(first: AbortSignal, second: AbortSignal | undefined): JoinedSignals {
  if (second === undefined) return { signal: first, release: () => undefined };
  const controller = new AbortController();
  const signals = [first, second];
  const abort = (): void => {
    controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
