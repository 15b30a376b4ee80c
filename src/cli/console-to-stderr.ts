import { Console } from 'node:console';

/**
 * Sends the output of `console` in this thread to stderr. Only strategies and packages write to `console`; stdout is for the document of
 * `--json -`.
 */
export function sendConsoleToStderr(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}
