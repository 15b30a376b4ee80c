import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../../domain/index.js';

/** A file that was asked for. */
export interface FoundFile {
  /** As the user wrote it, or beneath what the user wrote. */
  readonly name: string;
  readonly path: string;
}

/** Endings of what a folder of downloads holds that can be imported; the rest, such as checksums, is passed over. */
const ENDINGS = ['.csv', '.gz', '.zip', '.feather', '.arrow', '.parquet', '.txt', '.tsv'];

/**
 * Finds the files that a command line names: files, folders (what can be imported directly in them), and patterns with `*`, `?` and `**`,
 * which shells expand unless they are quoted. Folders and patterns come in order of their names, and no file twice.
 *
 * @throws {UsageError} `E_USAGE` when a folder or pattern holds no file. A file that is absent is named where it is opened.
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
    return requireSome(files, `${name} holds no file of candles`).map((file) => join(name, file));
  }
  if (!/[*?]/.test(name) || (await isThere(resolve(cwd, name)))) return [name];
  return requireSome(await matches(cwd, name), `no file matches ${name}`);
}

function requireSome(files: readonly string[], what: string): readonly string[] {
  if (files.length > 0) return files;
  throw new UsageError('E_USAGE', what);
}

/** Files beneath the folder that a pattern begins with. */
async function matches(cwd: string, pattern: string): Promise<readonly string[]> {
  const parts = pattern.split(/[\\/]/);
  const fixed = parts.findIndex((part) => /[*?]/.test(part));
  const base = parts.slice(0, fixed).join(sep);
  const files: string[] = [];
  const walk = async (folder: string, rest: readonly string[]): Promise<void> => {
    const [part = '', ...beyond] = rest;
    const isDeep = part === '**';
    // Two stars stand for no folder, too.
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

/** Names in a folder, in one order on every machine; none when it cannot be read. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.startsWith('.')).sort();
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const isThere = async (path: string): Promise<boolean> =>
  (await namesIn(dirname(path))).includes(basename(path));
