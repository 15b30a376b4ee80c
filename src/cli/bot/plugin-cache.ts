import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../archive/index.js';
import type { CliContext } from '../cli-context.js';
import { isOwn, userCache } from '../user-cache.js';

/**
 * Where compiled plugins are kept between starts: a folder of the user, made where it is missing; undefined where it cannot be, and where
 * anybody else could have put something into it, because what lies there is run.
 */
export async function pluginCache({ env }: Pick<CliContext, 'env'>): Promise<string | undefined> {
  const folder = userCache(env);
  if (folder === undefined) return undefined;
  try {
    await makeFolder(folder, 0o700);
    const entries = await readdir(folder);
    const places = [folder, ...entries.map((name) => path.join(folder, name))];
    const stats = await Promise.all(places.map((place) => lstat(place)));
    return stats.every(isOwn) ? folder : undefined;
  } catch {
    return undefined;
  }
}
