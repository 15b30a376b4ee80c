import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../archive/index.js';
import type { CliContext } from '../cli-context.js';
import { isOwn, userCache } from '../user-cache.js';

/**
 * Where compiled plugins are kept between starts: a folder of the user, made where it is missing; undefined where it cannot be, and where
 * anybody else could have put something into it, because what lies there is run. One entry after the other: each plugin
 * ever run has one, and the threads of Node take twice as long for them.
 */
export async function pluginCache({ env }: Pick<CliContext, 'env'>): Promise<string | undefined> {
  const folder = userCache(env);
  if (folder === undefined) return undefined;
  try {
    await makeFolder(folder, 0o700);
    const places = readdirSync(folder).map((name) => path.join(folder, name));
    return [folder, ...places].every((place) => isOwn(lstatSync(place))) ? folder : undefined;
  } catch {
    return undefined;
  }
}
