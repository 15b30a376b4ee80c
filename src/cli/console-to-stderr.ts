import { Console } from 'node:console';

/**
 * Sends what is written to `console` to stderr, in this thread. Nothing of our own goes there: it is what strategies and packages say, and
 * stdout is the document that `--json -` asks for.
 */
export function sendConsoleToStderr(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}
