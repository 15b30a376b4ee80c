import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BanMemory } from '../assembly/index.js';
import type { EpochMs } from '../domain/index.js';
import { isOwnFolder, sharedFolder, type SocketPlace } from './control/control-path.js';

/**
 * Remembers bans in the user's own folder, a file per host, named by a hash: a supervisor that starts a process anew must not call earlier.
 * What cannot be written is not remembered, and what cannot be read was no ban.
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
        // Bots of other processes are banned with this one, and may know of a longer ban.
        if ((untilOf(origin) ?? 0) >= until) return;
        const file = fileOf(origin);
        // They write at the same instant: each its own draft.
        const draft = `${file}.${String(process.pid)}`;
        writeFileSync(draft, String(until), { mode: 0o600 });
        renameSync(draft, file);
      } catch {
        // The ban itself is in force all the same.
      }
    },
  };
}
