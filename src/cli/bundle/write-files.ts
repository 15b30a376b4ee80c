import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../archive/index.js';
import type { BundledFile } from './bundle-file.js';

/** Writes the files of a bundle below a folder. */
export async function writeFiles(files: readonly BundledFile[], folder: string): Promise<void> {
  for (const { name, bytes } of files) {
    const place = path.join(folder, name);
    await makeFolder(path.dirname(place));
    await writeFile(place, bytes);
  }
}
