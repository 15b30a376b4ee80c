import { JournalError } from '../domain/index.js';
import { lockFile, type ProcessLock } from './process-lock.js';
import type { SqliteDriver } from './sqlite.js';

/** Guarantees that a journal has only one writer. */
export type WriterLock = ProcessLock;

/**
 * Takes the lock of a journal, a file beside it. Readers are not disturbed.
 *
 * @throws {JournalError} `E_JOURNAL_LOCKED` when another writer has it; `E_JOURNAL_OPEN` when the lock file cannot be written.
 */
export function takeWriterLock(driver: SqliteDriver, file: string): WriterLock {
  const lock = lockFile(driver, `${file}-lock`);
  if (lock !== undefined) return lock;
  throw new JournalError(
    'E_JOURNAL_LOCKED',
    `${file}: another process writes to this journal; stop that bot, or give this one its own name`,
  );
}
