import { lstatSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS, type EpochMs } from '../domain/index.js';

/** An entry that was neither written nor read for this long is removed. */
const UNUSED_MS = 30 * DAY_MS;
/** File whose time of change says when the folder was last cleaned. */
const STAMP = 'cleaned';

/**
 * Removes what nothing has used for 30 days from a folder of files that are made again when they are needed, at most once a day. So other processes may
 * use the folder meanwhile. Where a file cannot be removed, it stays.
 *
 * @param isCached whether an entry of the folder is such a file, or a folder of them. @defaultValue every entry is
 */
export function cleanCache(
  folder: string,
  now: EpochMs,
  isCached: (name: string) => boolean = () => true,
): void {
  const stamp = path.join(folder, STAMP);
  const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (now - last < DAY_MS) return;
  try {
    // First, so that of processes that start together few clean.
    writeFileSync(stamp, '', { mode: 0o600 });
    for (const name of readdirSync(folder))
      if (isCached(name)) removeUnused(path.join(folder, name), now);
  } catch {
    // The folder is read only, or another process has changed it. The next day is soon enough.
  }
}

/** Removes a file that was neither written nor read for so long, as far as the file system records it, or a folder that is empty without such files. */
function removeUnused(place: string, now: EpochMs): void {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined) return;
  const { mtimeMs, atimeMs } = found;
  if (!found.isDirectory()) {
    if (found.isFile() && now - Math.max(mtimeMs, atimeMs) >= UNUSED_MS)
      rmSync(place, { force: true });
    return;
  }
  for (const name of readdirSync(place)) removeUnused(path.join(place, name), now);
  // The look itself counts as a read of the folder. One that was just made waits for its files.
  if (now - mtimeMs >= UNUSED_MS && readdirSync(place).length === 0) rmdirSync(place);
}
