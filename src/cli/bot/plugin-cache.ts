import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../archive/index.js';
import { systemTime } from '../../engine/index.js';
import { cleanCache } from '../clean-cache.js';
import type { CliContext } from '../cli-context.js';
import { isOwn, userCache } from '../user-cache.js';

/**
 * The folder for compiled plugins between starts, a folder of the user. It is made if it is missing, and cleaned once a day. Undefined if it cannot be
 * made, or if another user could have written to it, because its files are executed. Checks the entries synchronously: there is one per plugin file, and
 * Node's thread pool takes twice as long for them.
 */
export async function pluginCache({ env }: Pick<CliContext, 'env'>): Promise<string | undefined> {
  const folder = userCache(env);
  if (folder === undefined) return undefined;
  try {
    await makeFolder(folder, 0o700);
    const places = readdirSync(folder).map((name) => path.join(folder, name));
    if (![folder, ...places].every((place) => isOwn(lstatSync(place)))) return undefined;
    cleanCache(folder, systemTime.now());
    return folder;
  } catch {
    return undefined;
  }
}
