import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BanMemory } from '../assembly/index.js';
import type { EpochMs } from '../domain/index.js';
import { isOwnFolder, sharedFolder, type SocketPlace } from './control/control-path.js';

/**
 * Stores bans in the user's own folder, one file for each host, named by a hash. A supervisor that restarts a process must not call the host before
 * the end of the ban. A ban that cannot be written is not stored; a file that cannot be read counts as no ban.
 */
export function openBanMemory(place: SocketPlace): BanMemory {
  const folder = sharedFolder(place);
  const fileOf = (origin: string): string => {
    const hash = createHash('sha256').update(origin).digest('hex').slice(0, 32);
    return path.join(folder, `${hash}.ban`);
  };
  const untilOf = (origin: string): EpochMs | undefined => {
    try {
      const until = Number(readFileSync(fileOf(origin), 'utf8'));
      return isOwnFolder(folder, place.userId) && Number.isSafeInteger(until) ? until : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    until: untilOf,
    note: (origin, until) => {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isOwnFolder(folder, place.userId)) return;
        // Bots of other processes share the ban, and may have stored a longer one.
        if ((untilOf(origin) ?? 0) >= until) return;
        const file = fileOf(origin);
        // Processes may write at the same time: each uses its own draft file.
        const draft = `${file}.${String(process.pid)}`;
        writeFileSync(draft, String(until), { mode: 0o600 });
        renameSync(draft, file);
      } catch {
        // The ban is in force anyway.
      }
    },
  };
}
