import path from 'node:path';
import { writeFileAtomically } from '../../archive/index.js';
import type { BundledFile } from './bundle-file.js';

/** Writes the files of a bundle below a folder. @throws {DataError} `E_DATA_WRITE` naming the file that cannot be written. */
export async function writeFiles(files: readonly BundledFile[], folder: string): Promise<void> {
  for (const { name, bytes } of files) {
    await writeFileAtomically(path.join(folder, name), [bytes]);
  }
}
