import { JournalError } from '../domain/index.js';
import { prepareSchema, readNumber } from './schema.js';
import {
  corruptJournal,
  journalFailure,
  keepPrivate,
  type Sqlite,
  type SqliteDriver,
} from './sqlite.js';

/** The value of `PRAGMA synchronous = FULL` when SQLite reads it back: a commit returns only after it is on the disk. */
const FULL = 2;

/**
 * Opens a journal for writing, and makes it if there is none. It uses a write-ahead log, and every commit is on the disk when it returns.
 *
 * @throws {JournalError} `E_JOURNAL_OPEN`, `E_JOURNAL_FOREIGN`, `E_JOURNAL_VERSION`, `E_JOURNAL_CORRUPT`, `E_JOURNAL_DURABILITY`.
 */
export function openForWriting(driver: SqliteDriver, file: string, maxBytes?: number): Sqlite {
  return guarded(
    file,
    () => {
      keepPrivate(file);
      return new driver(file);
    },
    (db) => {
      prepareSchema(db, file, { create: true });
      refuseDamage(db, file);
      beDurable(db, file);
      if (maxBytes !== undefined) {
        const pages = Math.max(1, Math.floor(maxBytes / readNumber(db, 'page_size')));
        db.pragma(`max_page_count = ${String(pages)}`);
      }
    },
  );
}

/**
 * Opens a journal for reading, also while its bot is writing.
 *
 * @throws {JournalError} as {@link openForWriting}.
 */
export function openForReading(driver: SqliteDriver, file: string): Sqlite {
  return guarded(
    file,
    () => new driver(file, { readonly: true, fileMustExist: true }),
    (db) => {
      prepareSchema(db, file, { create: false });
    },
  );
}

function guarded(file: string, open: () => Sqlite, prepare: (db: Sqlite) => void): Sqlite {
  let db: Sqlite | undefined;
  try {
    db = open();
    prepare(db);
    return db;
  } catch (error: unknown) {
    db?.close();
    throw journalFailure(file, error);
  }
}

/**
 * Sets full durability and reads the setting back after a query. The setting belongs to the connection, not to the file, and a build of
 * SQLite may lower it when the log is first used.
 */
function beDurable(db: Sqlite, file: string): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  db.pragma('synchronous = FULL');
  db.prepare('SELECT count(*) FROM events').get();
  const level = readNumber(db, 'synchronous');
  if (mode !== 'wal' || level !== FULL) {
    throw new JournalError(
      'E_JOURNAL_DURABILITY',
      `${file}: expected a write-ahead log with synchronous = ${String(FULL)}, received ${String(mode)} with ${String(level)}; put the journal on a local disk`,
    );
  }
}

function refuseDamage(db: Sqlite, file: string): void {
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw corruptJournal(file, String(found));
}
