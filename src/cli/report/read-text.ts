import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DataError, reasonOf } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';

/** Reads a result or another document of evenkeel. @throws {DataError} `E_RESULT_READ` if it cannot be read. */
export async function readText(file: string, { cwd }: CliContext): Promise<string> {
  try {
    return await readFile(path.resolve(cwd, file), 'utf8');
  } catch (cause: unknown) {
    throw new DataError('E_RESULT_READ', `cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}
