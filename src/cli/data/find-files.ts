import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../../domain/index.js';

/** A file to import. */
export interface FoundFile {
  /** The name as the user wrote it, or the path of a file below the folder or pattern that the user wrote. */
  readonly name: string;
  readonly path: string;
}

/** Endings of files that can be imported from a folder. Other files, such as checksums, are skipped. */
const ENDINGS = ['.csv', '.gz', '.zip', '.feather', '.arrow', '.parquet', '.txt', '.tsv'];

/**
 * Finds the files that a command line names: files, folders (the importable files directly in them), and patterns with `*`, `?` and `**`, which
 * shells expand unless they are quoted. Folders and patterns come in order of their names, and no file twice.
 *
 * @throws {UsageError} `E_USAGE` when a folder or pattern holds no file. A missing file is reported when it is opened.
 */
export async function findFiles(
  cwd: string,
  names: readonly string[],
): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const name of names) {
    for (const file of await filesOf(cwd, name)) {
      const path = resolve(cwd, file);
      if (!found.has(path)) found.set(path, { name: file, path });
    }
  }
  return [...found.values()];
}

async function filesOf(cwd: string, name: string): Promise<readonly string[]> {
  if (await isFolder(resolve(cwd, name))) {
    const files = (await namesIn(resolve(cwd, name))).filter((each) =>
      ENDINGS.some((ending) => each.toLowerCase().endsWith(ending)),
    );
    return requireSome(
      files,
      `${name} holds no file that can be imported: ${ENDINGS.join(', ')}`,
    ).map((file) => join(name, file));
  }
  if (!/[*?]/.test(name) || (await isThere(resolve(cwd, name)))) return [name];
  return requireSome(await matches(cwd, name), `no file matches ${name}`);
}

function requireSome(files: readonly string[], what: string): readonly string[] {
  if (files.length > 0) return files;
  throw new UsageError('E_USAGE', what);
}

/** Files below the fixed first folder of a pattern that match it. */
async function matches(cwd: string, pattern: string): Promise<readonly string[]> {
  const parts = pattern.split(/[\\/]/);
  const fixed = parts.findIndex((part) => /[*?]/.test(part));
  const base = parts.slice(0, fixed).join(sep);
  const files: string[] = [];
  const walk = async (folder: string, rest: readonly string[]): Promise<void> => {
    const [part = '', ...beyond] = rest;
    const isDeep = part === '**';
    // Two stars also match no folder at all.
    if (isDeep) await walk(folder, beyond);
    for (const name of await namesIn(resolve(cwd, folder))) {
      const path = join(folder, name);
      const isMatch = isDeep || expressionOf(part).test(name);
      if (!isMatch) continue;
      if (await isFolder(resolve(cwd, path))) {
        if (isDeep || beyond.length > 0) await walk(path, isDeep ? rest : beyond);
      } else if (!isDeep && beyond.length === 0) files.push(path);
    }
  };
  await walk(pattern.startsWith('/') && base === '' ? sep : base, parts.slice(fixed));
  return [...new Set(files)].sort();
}

function expressionOf(part: string): RegExp {
  const literal = part.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}

/** Names in a folder, in the same order on every machine; empty if the folder cannot be read. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.startsWith('.')).sort();
}

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const isThere = async (path: string): Promise<boolean> =>
  (await namesIn(dirname(path))).includes(basename(path));
