import type { CliContext, ExitCode } from '../../../src/cli/cli-context.js';

/** A context whose output is kept, and which a test interrupts or terminates. */
export interface TestContext {
  readonly context: CliContext;
  readonly written: { stdout: string; stderr: string };
  /** Last value of `setExitCode`; 0 before any call. */
  readonly exitCode: () => ExitCode;
  /** Ctrl-C. */
  readonly interrupt: () => void;
  /** SIGTERM. Returns false if no listener is set. */
  readonly terminate: () => boolean;
}

/** Makes a test context. `over` replaces parts of the context. */
export function aCliContext(over: Partial<CliContext> = {}): TestContext {
  const written = { stdout: '', stderr: '' };
  const abort = new AbortController();
  let exitCode: ExitCode = 0;
  let onTerminate: (() => void) | undefined;
  const output = (stream: 'stdout' | 'stderr'): CliContext['stdout'] => ({
    write: (text) => {
      written[stream] += text;
    },
    isTerminal: false,
    columns: undefined,
  });
  const context: CliContext = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: {},
    cwd: '/',
    signal: abort.signal,
    onTerminate: (action) => {
      onTerminate = action;
      return () => {
        onTerminate = undefined;
      };
    },
    setExitCode: (code) => {
      exitCode = code;
    },
    // The compiler takes seconds. A test of its messages passes its own `checkTypes`.
    checkTypes: () => Promise.resolve({ status: 'none' }),
    ...over,
  };
  return {
    context,
    written,
    exitCode: () => exitCode,
    interrupt: () => {
      abort.abort(new Error('interrupted'));
    },
    terminate: () => {
      const isHeard = onTerminate !== undefined;
      onTerminate?.();
      return isHeard;
    },
  };
}
