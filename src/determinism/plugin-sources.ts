import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Text of a plugin's files by absolute path, the plugin itself first. */
export type PluginSources = ReadonlyMap<string, string>;

/** Matches the relative specifiers of static, dynamic and CommonJS imports and of re-exports, `.` and `..` included. */
const RELATIVE_IMPORT = /(?:from|import|require)\s*\(?\s*['"](\.{1,2}(?:\/[^'"]*)?)['"]/g;

/** Endings in imports of TypeScript files, each with the ending of the file itself. */
const TYPESCRIPT_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\.js$/, '.ts'],
  [/\.mjs$/, '.mts'],
  [/\.cjs$/, '.cts'],
  [/\.jsx$/, '.tsx'],
];

/** Endings that an import may leave out, in the order in which the loader tries them. It tries `.json` last, after the files of a folder. */
const TRIED_ENDINGS: readonly string[] = ['.js', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts'];

/** Reads a plugin and all files that it imports by relative path, directly or through others. Packages are not followed. */
export async function readPluginSources(plugin: string): Promise<PluginSources> {
  const sources = new Map<string, string>();
  const waiting = [plugin];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (sources.has(file)) continue;
    const text = await readFile(file, 'utf8');
    sources.set(file, text);
    for (const match of text.matchAll(RELATIVE_IMPORT)) {
      const imported = await findFile(file, match[1] ?? '');
      if (imported !== undefined) waiting.push(imported);
    }
  }
  return sources;
}

/** Files that a relative specifier may mean, in the order in which the loader tries them. */
function candidatesOf(from: string, specifier: string): readonly string[] {
  const specified = path.resolve(path.dirname(from), specifier);
  const index = path.join(specified, 'index');
  const inFolder = TRIED_ENDINGS.map((ending) => index + ending);
  const isFolder = /(?:^|\/)\.{0,2}$/.test(specifier);
  if (isFolder) return [...inFolder, `${index}.json`];
  const named = TRIED_ENDINGS.map((ending) => specified + ending);
  const renamed = TYPESCRIPT_NAMES.map(([ending, real]) => specified.replace(ending, real));
  const candidates = [specified, ...named, ...renamed, ...inFolder, `${specified}.json`];
  return [...new Set([...candidates, `${index}.json`])];
}

/** Returns the file of a plugin that another of its files imports by a relative path; undefined if there is none. */
export function findImported(
  sources: PluginSources,
  from: string,
  specifier: string,
): string | undefined {
  return candidatesOf(from, specifier).find((file) => sources.has(file));
}

async function findFile(from: string, specifier: string): Promise<string | undefined> {
  for (const candidate of candidatesOf(from, specifier)) {
    const text = await readFile(candidate, 'utf8').catch(() => undefined);
    if (text !== undefined) return candidate;
  }
  return undefined;
}

/** Hashes names (relative to the plugin) and texts, so that a copy of the folder has the same hash. */
export function hashPluginSources(plugin: string, sources: PluginSources): string {
  const hash = createHash('sha256');
  const folder = path.dirname(plugin);
  const entries = [...sources].map(([file, text]) => ({
    name: path.relative(folder, file).split(path.sep).join('/'),
    text,
  }));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, text } of entries) {
    hash.update(`${name}\0${String(Buffer.byteLength(text))}\0${text}`);
  }
  return hash.digest('hex');
}
