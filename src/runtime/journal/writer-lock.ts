import { JournalError } from '../../domain/index.js';
import { journalFailure, sqliteCode, type Sqlite, type SqliteDriver } from './sqlite.js';

/** Holds that a journal has one writer. */
export interface WriterLock {
  release(): void;
}

/**
 * Takes the lock of a journal: an exclusive transaction on a small database beside it. The operating system gives it back when the
 * process ends, however it ends, so nothing stale is ever left; readers are not disturbed.
 *
 * @throws {JournalError} `E_JOURNAL_LOCKED` when another writer has it; `E_JOURNAL_OPEN` when the place cannot be written.
 */
export function takeWriterLock(driver: SqliteDriver, file: string): WriterLock {
  let db: Sqlite | undefined;
  try {
    db = new driver(`${file}-lock`, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause: unknown) {
    db?.close();
    if (sqliteCode(cause)?.startsWith('SQLITE_BUSY') !== true) throw journalFailure(file, cause);
    throw new JournalError(
      'E_JOURNAL_LOCKED',
      `${file}: expected to be its only writer, received a lock that another process holds; stop that bot, or give this one a name of its own`,
      { cause },
    );
  }
  const held = db;
  return { release: () => held.close() };
}
