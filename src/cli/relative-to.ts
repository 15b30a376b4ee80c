import path from 'node:path';
import type { CliContext } from './cli-context.js';

/** The path of a file for messages: relative if the file is below the user's folder. */
export function relativeTo({ cwd }: Pick<CliContext, 'cwd'>, file: string): string {
  const shown = path.relative(cwd, path.resolve(cwd, file));
  return shown.startsWith('..') ? file : shown;
}
