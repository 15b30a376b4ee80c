import { lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { isOwn, userCache } from './user-cache.js';

/** What `node:module` has from Node 22.1 on. */
interface CompileCache {
  readonly enableCompileCache?: ((folder: string) => unknown) | undefined;
}

/**
 * Has Node keep what V8 compiles from now on for the next start, where Node can. Nothing is kept without a folder that nobody but the user can write to,
 * because what lies there is run.
 */
export function keepCompiledCode(
  env: Readonly<Record<string, string | undefined>>,
  { enableCompileCache }: CompileCache = process.getBuiltinModule('node:module') as CompileCache,
): void {
  const cache = userCache(env);
  if (enableCompileCache === undefined || cache === undefined) return;
  const folder = path.join(cache, 'code');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ([cache, folder].every((place) => isOwn(lstatSync(place)))) enableCompileCache(folder);
  } catch {
    // Nothing is kept.
  }
}
