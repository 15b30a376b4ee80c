import { lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { isOwn, userCache } from './user-cache.js';

/** A part of `node:module` that exists from Node 22.1 on. */
interface CompileCache {
  readonly enableCompileCache?: ((folder: string) => unknown) | undefined;
}

/**
 * Makes Node store the code that V8 compiles from now on for the next start, if Node can. It stores only in a folder that no other user can write to, because
 * the stored code is executed.
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
    // Without a cache the program works, too.
  }
}
