import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path that a path or `file:` URL means. */
export function resolveFile(file: string | URL, directory: string): string {
  const isUrl = file instanceof URL || file.startsWith('file:');
  return isUrl ? fileURLToPath(file) : path.resolve(directory, file);
}
