import { statSync } from 'node:fs';
import {
  journalFailure,
  keepPrivate,
  loadSqlite,
  sqliteCode,
  type Sqlite,
  type SqliteDriver,
} from './sqlite.js';

/** Something that only one holder has. */
export interface ProcessLock {
  /** Whether its file is still in its place: where that was removed, somebody else may have taken the lock, too. */
  readonly isHeld: boolean;
  release(): void;
}

/**
 * Takes a lock: an exclusive transaction on a small database. The operating system gives it back when the process ends, however it ends, so
 * nothing stale is ever left. Undefined when somebody has it, this process included.
 *
 * @throws {JournalError} `E_JOURNAL_OPEN` when the place cannot be written, `E_JOURNAL_DRIVER` without the driver.
 */
export async function takeProcessLock(file: string): Promise<ProcessLock | undefined> {
  return lockFile(await loadSqlite(), file);
}

/** As {@link takeProcessLock}, with a driver that is loaded. */
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

/** What the file system knows a file by. */
function numberOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${String(found.dev)} ${String(found.ino)}`;
}
