import { openForReading } from './connection.js';
import { journalFailure, loadSqlite } from './sqlite.js';

/**
 * Copies a journal as it is at this moment, also while its bot is writing. `to` must not exist.
 *
 * @throws {JournalError} as `openForReading`; `E_JOURNAL_WRITE`, `E_JOURNAL_FULL`.
 */
export async function copyJournalFile(from: string, to: string): Promise<void> {
  const db = openForReading(await loadSqlite(), from);
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } catch (error: unknown) {
    throw journalFailure(to, error);
  } finally {
    db.close();
  }
}
