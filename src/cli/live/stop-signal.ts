import type { CliContext } from '../cli-context.js';

/** The owner's wish to end a session in order. */
export interface StopSignal {
  /** Aborted by Ctrl-C or the wish to terminate, whichever comes first. */
  readonly signal: AbortSignal;
  /** Hears nothing any more: the wish to terminate ends the process again. */
  release(): void;
}

/** Begins to hear both. */
export function hearStop({ signal, onTerminate }: CliContext): StopSignal {
  const terminated = new AbortController();
  const release = onTerminate?.(() => {
    terminated.abort(new Error('asked to terminate'));
  });
  return {
    signal: AbortSignal.any([signal, terminated.signal]),
    release: () => release?.(),
  };
}
