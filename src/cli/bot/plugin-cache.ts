import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../archive/index.js';
import type { CliContext } from '../cli-context.js';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Where compiled plugins are kept between starts: a folder of the user, made where it is missing; undefined where it cannot be, and where
 * anybody else could have put something into it, because what lies there is run.
 */
export async function pluginCache({ env }: Pick<CliContext, 'env'>): Promise<string | undefined> {
  const { XDG_CACHE_HOME: cache, HOME: home } = env;
  const isGiven = cache !== undefined && path.isAbsolute(cache);
  const base = isGiven ? cache : home && path.join(home, '.cache');
  if (base === undefined || base === '') return undefined;
  const folder = path.join(base, 'evenkeel');
  try {
    await makeFolder(folder, 0o700);
    const entries = await readdir(folder);
    const places = [folder, ...entries.map((name) => path.join(folder, name))];
    const owned = await Promise.all(places.map(isOwn));
    return owned.includes(false) ? undefined : folder;
  } catch {
    return undefined;
  }
}

/** Whether nobody but the user can have written it. */
async function isOwn(place: string): Promise<boolean> {
  const { uid, mode } = await lstat(place);
  return uid === (process.getuid?.() ?? uid) && (mode & WRITABLE_BY_OTHERS) === 0;
}
