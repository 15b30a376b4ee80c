import type BetterSqlite3 from 'better-sqlite3';
import { closeSync, openSync } from 'node:fs';
import { DataError, reasonOf } from '../../domain/index.js';
import type { ExchangeJournal, ExchangeJournalEntry } from './journal-entry.js';

type Database = BetterSqlite3.Database;

/** Marks a file as ours: "evkx". */
const APPLICATION_ID = 0x65_76_6b_78;
const VERSION = 1;

/** The state of an exchange on disk: its build values, and every event. */
export interface ExchangeState extends ExchangeJournal {
  readonly file: string;
  /** Stores `value` under `name`, unless a value is stored there already. Returns the stored value. */
  keep(name: string, value: string): string;
}

/**
 * Opens the state file of an exchange, or creates it. Only one process at a time can have it open.
 *
 * @throws {DataError} `E_EXCHANGE_STATE` without the SQLite driver, for a file that is in use, damaged, of another program or version, or cannot be
 * written.
 */
export async function openExchangeState(file: string): Promise<ExchangeState> {
  const driver = await loadDriver();
  return attempt(file, () => {
    // The file will hold secrets, so only its owner may read it, from the beginning.
    closeSync(openSync(file, 'a', 0o600));
    return new SqliteState(file, new driver(file, { timeout: 0 }));
  });
}

async function loadDriver(): Promise<typeof BetterSqlite3> {
  try {
    const driver = (await import('better-sqlite3')).default;
    // The native part of the driver is loaded with the first database, and may belong to another Node version.
    new driver(':memory:').close();
    return driver;
  } catch (cause: unknown) {
    throw new DataError(
      'E_EXCHANGE_STATE',
      `the package better-sqlite3, which state files need, cannot be loaded (${reasonOf(cause)}); install it with: npm install better-sqlite3, or after a change of Node compile it again with: npm rebuild better-sqlite3`,
      { cause },
    );
  }
}

/** Rows of JSON in the order of the events; each is synced to the disk before {@link append} returns. */
class SqliteState implements ExchangeState {
  readonly file: string;
  readonly #db: Database;
  readonly #insert: BetterSqlite3.Statement;

  constructor(file: string, db: Database) {
    this.file = file;
    this.#db = db;
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    this.#checkOwner();
    db.exec(
      'CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, entry TEXT NOT NULL);' +
        'CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
    );
    this.#insert = db.prepare('INSERT INTO entries (entry) VALUES (?)');
  }

  #checkOwner(): void {
    const owner = this.#db.pragma('application_id', { simple: true });
    const version = this.#db.pragma('user_version', { simple: true });
    const tables = this.#db.prepare('SELECT count(*) FROM sqlite_master').pluck().get();
    if (owner === 0 && tables === 0) {
      this.#db.pragma(`application_id = ${String(APPLICATION_ID)}`);
      this.#db.pragma(`user_version = ${String(VERSION)}`);
    } else if (owner !== APPLICATION_ID || version !== VERSION) {
      const received =
        owner === APPLICATION_ID
          ? `one of version ${String(version)}`
          : 'a file of another program';
      throw new DataError(
        'E_EXCHANGE_STATE',
        `${this.file}: expected a state file of evenkeel exchange of version ${String(VERSION)}, received ${received}`,
      );
    }
  }

  keep(name: string, value: string): string {
    return attempt(this.file, () => {
      this.#db.prepare('INSERT OR IGNORE INTO kept (name, value) VALUES (?, ?)').run(name, value);
      return this.#db.prepare('SELECT value FROM kept WHERE name = ?').pluck().get(name) as string;
    });
  }

  *entries(): Generator<ExchangeJournalEntry> {
    const rows = attempt(this.file, () =>
      this.#db.prepare('SELECT entry FROM entries ORDER BY id').pluck().all(),
    );
    for (const row of rows) yield JSON.parse(row as string) as ExchangeJournalEntry;
  }

  append(entry: ExchangeJournalEntry): void {
    attempt(this.file, () => this.#insert.run(JSON.stringify(entry)));
  }

  close(): void {
    this.#db.close();
  }
}

function attempt<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (cause: unknown) {
    if (cause instanceof DataError) throw cause;
    throw new DataError(
      'E_EXCHANGE_STATE',
      `${file}: this process cannot get exclusive write access to the state file (${reasonOf(cause)})`,
      { cause },
    );
  }
}
