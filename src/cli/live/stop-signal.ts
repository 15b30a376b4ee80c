import type { CliContext } from '../cli-context.js';

/** The operator's request to end a session in order. */
interface StopSignal {
  /** Aborted by Ctrl-C or SIGTERM, whichever comes first. */
  readonly signal: AbortSignal;
  /** Stops listening: SIGTERM ends the process at once again. */
  release(): void;
}

/** Starts to listen to Ctrl-C and SIGTERM. After the first request a second one, of either kind, ends the process at once. */
export function hearStop({ signal, onTerminate, endsInOrder }: CliContext): StopSignal {
  endsInOrder?.();
  const terminated = new AbortController();
  const stop = AbortSignal.any([signal, terminated.signal]);
  if (stop.aborted) return { signal: stop, release: () => undefined };
  const release = onTerminate?.(() => {
    terminated.abort(new Error('asked to terminate'));
  });
  stop.addEventListener('abort', () => release?.(), { once: true });
  return { signal: stop, release: () => release?.() };
}
