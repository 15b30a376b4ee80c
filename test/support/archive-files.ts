import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Every file in a folder and its subfolders, temporary files included: relative path and bytes, in the order of paths. */
export async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = new Map<string, Buffer>();
  for (const path of paths) files.set(relative(folder, path), await readFile(path));
  return files;
}
