import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS, type EpochMs } from '../domain/index.js';

/** An entry that was neither written nor read for this long is removed. */
const UNUSED_MS = 30 * DAY_MS;
/** File whose time of change says when the folder was last cleaned. */
const STAMP = 'cleaned';

/**
 * Removes what no start has used for 30 days from the user's cache, at most once a day. An entry that is needed again is made again, so other processes may
 * use the folder meanwhile. Where a file cannot be removed, it stays.
 */
export function cleanCache(folder: string, now: EpochMs): void {
  const stamp = path.join(folder, STAMP);
  const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (now - last < DAY_MS) return;
  try {
    // First, so that of processes that start together few clean.
    writeFileSync(stamp, '', { mode: 0o600 });
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      if (now - usedAt(file) >= UNUSED_MS) rmSync(file, { force: true });
    }
  } catch {
    // The folder is read only, or another process has changed it. The next day is soon enough.
  }
}

/** When a file was last written or read, as far as the file system records it; 0 without the file. */
function usedAt(file: string): EpochMs {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 0 : Math.max(found.mtimeMs, found.atimeMs);
}
