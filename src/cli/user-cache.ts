import path from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;

/** Where this program keeps what makes the next start faster: a folder of the user; undefined where none is known. */
export function userCache({
  XDG_CACHE_HOME: cache,
  HOME: home,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  const isGiven = cache !== undefined && path.isAbsolute(cache);
  const base = isGiven ? cache : home && path.join(home, '.cache');
  return base === undefined || base === '' ? undefined : path.join(base, 'evenkeel');
}

/** Whether nobody but the user can have written there. */
export function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === (process.getuid?.() ?? uid) && (mode & WRITABLE_BY_OTHERS) === 0;
}
