import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import type * as Jiti from 'jiti';
import { hasSystemCode } from '../../archive/index.js';
import * as evenkeel from '../../index.js';
import { readPluginSources, type PluginSources } from '../../determinism/index.js';
import { describePluginFailure } from './plugin-failure.js';
import { rxjsByParts } from './rxjs-by-parts.js';

const EXTENSIONS: readonly string[] = ['.ts', '.mts', '.js', '.mjs'];

export interface EvaluateOptions {
  /** Shortens an absolute path for messages. @defaultValue as it is */
  readonly describeFile?: ((file: string) => string) | undefined;
  /** Absolute folder that keeps compiled modules for the next start; only its owner may be able to write to it. @defaultValue none */
  readonly cacheFolder?: string | undefined;
  /** Modules, by name, whose running copy the file receives, in addition to `evenkeel` and `rxjs`. @defaultValue none */
  readonly modules?: Readonly<Record<string, object>> | undefined;
}

/** Explains why a file cannot be a module; undefined if it may be one. */
export async function refuseNoModule(
  file: string,
  describeFile: EvaluateOptions['describeFile'] = (absolute) => absolute,
): Promise<{ readonly expected: string; readonly received: string } | undefined> {
  const described = describeFile(file);
  const shown = described === '' ? 'the folder itself' : described;
  const status = await stat(file).catch(() => undefined);
  const expected = `a plugin file (${EXTENSIONS.join(', ')})`;
  if (status === undefined) return { expected, received: `${shown}, which does not exist` };
  if (!status.isFile()) return { expected, received: `${shown}, which is not a file` };
  if (!EXTENSIONS.includes(path.extname(file))) return { expected, received: shown };
  return undefined;
}

/**
 * Runs a user's file and returns its exports, with the text of the file and of its imports. TypeScript types are stripped, not checked. The file and
 * everything it imports share the running copies of `evenkeel` and `rxjs`.
 *
 * @throws {ConfigError} `E_PLUGIN_SYNTAX`, `E_PLUGIN_IMPORT`, `E_PLUGIN_THROWS` with file and line in it.
 */
export async function evaluateModule(
  file: string,
  options: EvaluateOptions,
): Promise<{ readonly exported: unknown; readonly sources: PluginSources }> {
  const sources = await readPluginSources(file);
  const run = (how: EvaluateOptions): Promise<unknown> => {
    forgetModules(sources.keys());
    return evaluate(file, how);
  };
  try {
    const exported = await run(options).catch((error: unknown) => {
      if (!isCleaned(error, options.cacheFolder)) throw error;
      return run({ ...options, cacheFolder: undefined });
    });
    return { exported, sources };
  } catch (error: unknown) {
    throw describePluginFailure(error, { sources, describeFile: options.describeFile });
  }
}

async function evaluate(file: string, { cacheFolder, modules }: EvaluateOptions): Promise<unknown> {
  const require = createRequire(import.meta.url);
  // With `import`, Node would first scan all of it for exports, which takes 0.02 s.
  const { createJiti } = require('jiti') as typeof Jiti;
  const rxjsFolder = path.dirname(require.resolve('rxjs'));
  const subpaths = ['ajax', 'fetch', 'operators', 'testing', 'webSocket'];
  const jiti = createJiti(import.meta.url, {
    fsCache: cacheFolder ?? false,
    interopDefault: false,
    virtualModules: { evenkeel, rxjs: rxjsByParts(require), ...modules },
    alias: {
      ...Object.fromEntries(
        subpaths.map((name) => [`rxjs/${name}`, path.join(rxjsFolder, name, 'index.js')]),
      ),
      'rxjs/internal': path.join(rxjsFolder, 'internal'),
    },
  });
  // Compiled even if Node could run it: only then does `require('rxjs')` in CommonJS find the running copy.
  return jiti.evalModule(await readFile(file, 'utf8'), {
    id: file,
    filename: file,
    ext: path.extname(file),
    async: true,
    forceTranspile: true,
  });
}

/** Whether a compiled module was found and then missing: another process has cleaned the cache in between. */
function isCleaned(error: unknown, cacheFolder: string | undefined): boolean {
  if (cacheFolder === undefined || !hasSystemCode(error, 'ENOENT')) return false;
  const { path: missing } = error as NodeJS.ErrnoException;
  return missing !== undefined && path.dirname(missing) === cacheFolder;
}

/** Makes files load again, because they may have been saved since they were loaded. */
function forgetModules(files: Iterable<string>): void {
  const { cache } = createRequire(import.meta.url);
  for (const file of files) Reflect.deleteProperty(cache, file);
}
