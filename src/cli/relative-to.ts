import path from 'node:path';
import type { CliContext } from './cli-context.js';

/** A file as messages name it: short where it lies below the folder of the call. */
export function relativeTo({ cwd }: Pick<CliContext, 'cwd'>, file: string): string {
  const shown = path.relative(cwd, path.resolve(cwd, file));
  return shown.startsWith('..') ? file : shown;
}
