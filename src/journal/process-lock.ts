import { statSync } from 'node:fs';
import {
  journalFailure,
  keepPrivate,
  loadSqlite,
  sqliteCode,
  type Sqlite,
  type SqliteDriver,
} from './sqlite.js';

/** A lock that only one holder has at a time. */
export interface ProcessLock {
  /** Whether the lock file is still in its place. After its removal another process may have taken the lock, too. */
  readonly isHeld: boolean;
  release(): void;
}

/**
 * Takes a lock: an exclusive transaction on a small database. The operating system releases it whenever and however the process ends, so no
 * stale lock remains. Undefined if another holder has it, also within this process.
 *
 * @throws {JournalError} `E_JOURNAL_OPEN` if the file cannot be written, `E_JOURNAL_DRIVER` without the driver.
 */
export async function takeProcessLock(file: string): Promise<ProcessLock | undefined> {
  return lockFile(await loadSqlite(), file);
}

/** Like {@link takeProcessLock}, with a driver that is already loaded. */
export function lockFile(driver: SqliteDriver, file: string): ProcessLock | undefined {
  let db: Sqlite | undefined;
  try {
    keepPrivate(file);
    db = new driver(file, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause: unknown) {
    db?.close();
    if (sqliteCode(cause)?.startsWith('SQLITE_BUSY') === true) return undefined;
    throw journalFailure(file, cause);
  }
  const held = db;
  const taken = numberOf(file);
  return {
    get isHeld() {
      return held.open && taken !== undefined && numberOf(file) === taken;
    },
    release: () => held.close(),
  };
}

/** Identifies a file by its device and inode numbers. */
function numberOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${String(found.dev)} ${String(found.ino)}`;
}
