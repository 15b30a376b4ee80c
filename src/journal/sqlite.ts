import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { JournalError } from '../domain/index.js';

/** An open connection. */
export type Sqlite = BetterSqlite3.Database;
export type SqliteStatement = BetterSqlite3.Statement;
export type SqliteDriver = typeof BetterSqlite3;

/**
 * Loads the driver on first use: it is an optional dependency, compiled where there is no ready build. Its native part is loaded with the first
 * database, and may be that of another Node.
 */
export async function loadSqlite(
  load: () => Promise<{ readonly default: SqliteDriver }> = () => import('better-sqlite3'),
): Promise<SqliteDriver> {
  try {
    const driver = (await load()).default;
    new driver(':memory:').close();
    return driver;
  } catch (cause: unknown) {
    throw new JournalError(
      'E_JOURNAL_DRIVER',
      `the package better-sqlite3, which journals are kept with, cannot be loaded (${describe(cause)}); install it with: npm install better-sqlite3, or after a change of Node compile it anew with: npm rebuild better-sqlite3`,
      { cause },
    );
  }
}

const OTHERS = 0o077;
const OWN_FILE = 0o600;

/**
 * Makes a database's file for the user alone, or takes away what others may do with it: it tells of positions and orders, and who can open
 * a lock can hold it. SQLite gives the files beside it the same mode. What cannot be changed is left to what opens the file.
 */
export function keepPrivate(file: string): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`]) leaveAlone(() => closeToOthers(each));
  leaveAlone(() => closeSync(openSync(file, 'wx', OWN_FILE)));
}

function closeToOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  // By its name: closing a handle would drop every lock that this process has on the file.
  if (found?.isFile() === true && (found.mode & OTHERS) !== 0 && found.uid === process.getuid?.())
    chmodSync(file, OWN_FILE);
}

/** Another process may make the file, or end and take its log away, at the same instant; what else is wrong is said by what opens the file next. */
function leaveAlone(change: () => void): void {
  try {
    change();
  } catch {
    // As it is.
  }
}

/** Source: SQLite's list of extended result codes. */
const READ_FAILURES: ReadonlySet<string> = new Set([
  'SQLITE_IOERR_READ',
  'SQLITE_IOERR_SHORT_READ',
]);

/** What a failed call of SQLite means: a full disk, a damaged file, a file that is none of ours, or another failure of what was done. */
export function journalFailure(
  file: string,
  cause: unknown,
  doing: 'read' | 'write' = 'write',
): JournalError {
  if (cause instanceof JournalError) return cause;
  const code = sqliteCode(cause) ?? '';
  const received = describe(cause);
  if (code === 'SQLITE_FULL') {
    return new JournalError(
      'E_JOURNAL_FULL',
      `${file}: disk full, or its limit reached (${received}): the journal cannot be written; free some space, then start again`,
      { cause },
    );
  }
  if (code === 'SQLITE_NOTADB')
    return foreignFile(file, 'a file that is no SQLite database', cause);
  if (code.startsWith('SQLITE_CORRUPT')) return corruptJournal(file, received, cause);
  // The driver finds a missing folder before SQLite does, and gives that no code.
  const isUnopened =
    received.startsWith('Cannot open database') || code.startsWith('SQLITE_CANTOPEN');
  if (isUnopened || code.startsWith('SQLITE_READONLY')) {
    return new JournalError(
      'E_JOURNAL_OPEN',
      `${file}: the journal cannot be opened, or its folder cannot be written (${received})`,
      { cause },
    );
  }
  if (doing === 'read' || READ_FAILURES.has(code)) {
    return new JournalError('E_JOURNAL_READ', `${file}: the journal cannot be read (${received})`, {
      cause,
    });
  }
  return new JournalError(
    'E_JOURNAL_WRITE',
    `${file}: the journal cannot be written (${received})`,
    { cause },
  );
}

export function corruptJournal(file: string, received: string, cause?: unknown): JournalError {
  return new JournalError(
    'E_JOURNAL_CORRUPT',
    `${file}: the journal is damaged (${received}); keep the file, restore a copy of it, or start with a new journal: the bot then takes its orders and positions from the venue`,
    { cause },
  );
}

export function foreignFile(file: string, received: string, cause?: unknown): JournalError {
  return new JournalError(
    'E_JOURNAL_FOREIGN',
    `${file}: not a journal of evenkeel but ${received}; nothing was changed: name another file`,
    { cause },
  );
}

/** The code of an error of SQLite, for example `SQLITE_BUSY`. */
export function sqliteCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
