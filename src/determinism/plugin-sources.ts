import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Text of a plugin's files by absolute path, the plugin itself first. */
export type PluginSources = ReadonlyMap<string, string>;

/** Matches the relative specifiers of static, dynamic and CommonJS imports and of re-exports. */
const RELATIVE_IMPORT = /(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/** Endings in imports of TypeScript files, each with the ending of the file itself. */
const TYPESCRIPT_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\.js$/, '.ts'],
  [/\.mjs$/, '.mts'],
];

const TRIED_ENDINGS: readonly string[] = [
  '',
  '.ts',
  '.js',
  '.mts',
  '.mjs',
  '.json',
  '/index.ts',
  '/index.js',
];

/** Reads a plugin and all files that it imports by relative path, directly or through others. Packages are not followed. */
export async function readPluginSources(plugin: string): Promise<PluginSources> {
  const sources = new Map<string, string>();
  const waiting = [plugin];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (sources.has(file)) continue;
    const text = await readFile(file, 'utf8');
    sources.set(file, text);
    for (const match of text.matchAll(RELATIVE_IMPORT)) {
      const imported = await findFile(path.resolve(path.dirname(file), match[1] ?? ''));
      if (imported !== undefined) waiting.push(imported);
    }
  }
  return sources;
}

/** Files that an absolute path without its ending may mean, in the order of the attempts. */
function candidatesOf(specified: string): readonly string[] {
  const renamed = TYPESCRIPT_NAMES.map(([ending, real]) => specified.replace(ending, real));
  return [...new Set([...TRIED_ENDINGS.map((ending) => specified + ending), ...renamed])];
}

/** Returns the file of a plugin that another of its files imports by a relative path; undefined if there is none. */
export function findImported(
  sources: PluginSources,
  from: string,
  specifier: string,
): string | undefined {
  return candidatesOf(path.resolve(path.dirname(from), specifier)).find((file) =>
    sources.has(file),
  );
}

async function findFile(specified: string): Promise<string | undefined> {
  for (const candidate of candidatesOf(specified)) {
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
