import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Resolves a path or `file:` URL to an absolute path. */
export function resolveFile(file: string | URL, directory: string): string {
  const isUrl = file instanceof URL || file.startsWith('file:');
  return isUrl ? fileURLToPath(file) : path.resolve(directory, file);
}
