import { spawn } from 'node:child_process';
import type { CliContext } from '../cli-context.js';

/** Commands that open a file in its default program, by platform. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file in the user's browser. If no browser can be started, a message asks the user to open the file. */
export function openInBrowser(file: string, { stderr }: CliContext): void {
  const [command, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...words, file], { stdio: 'ignore', detached: true });
  child.on('error', () => {
    stderr.write(`no browser could be started (${command}): open ${file} by hand\n`);
  });
  child.unref();
}
