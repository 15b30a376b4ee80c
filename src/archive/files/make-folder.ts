import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasSystemCode } from './data-file.js';

/**
 * Makes a folder and the missing folders above it. Node's `mkdir` with `recursive` would retry for ever if an existing folder refuses new
 * folders with `ENOENT`: `/proc`, or a place where folders are mounted on access.
 *
 * @throws the error of the operating system.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    const above = dirname(folder);
    if (!hasSystemCode(error, 'ENOENT') || above === folder) throw error;
    await makeFolder(above, mode);
    await makeOne(folder, mode);
  }
}

async function makeOne(folder: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(folder, mode);
  } catch (error) {
    const isThere = hasSystemCode(error, 'EEXIST') && (await stat(folder)).isDirectory();
    if (!isThere) throw error;
  }
}
