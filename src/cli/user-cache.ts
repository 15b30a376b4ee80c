import path from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;

/** The user's folder for files that make the next start faster; undefined if the environment names none. */
export function userCache({
  XDG_CACHE_HOME: cache,
  HOME: home,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  const isGiven = cache !== undefined && path.isAbsolute(cache);
  const base = isGiven ? cache : home && path.join(home, '.cache');
  return base === undefined || base === '' ? undefined : path.join(base, 'evenkeel');
}

/** Whether only the user can have written to a file or folder. */
export function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === (process.getuid?.() ?? uid) && (mode & WRITABLE_BY_OTHERS) === 0;
}
