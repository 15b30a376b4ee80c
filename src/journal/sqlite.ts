import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { JournalError, reasonOf } from '../domain/index.js';

/** What journals use of a statement. The driver has no types of its own, so a program that compiles ours would need a package for them. */
export interface SqliteStatement {
  run(...values: readonly unknown[]): { readonly lastInsertRowid: number | bigint };
  get(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): unknown[];
  pluck(): this;
}

/** An open connection. */
export interface Sqlite {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  pragma(text: string, options?: { readonly simple?: boolean }): unknown;
  transaction(body: () => void): { immediate(): unknown };
  close(): unknown;
}

export type SqliteDriver = new (
  file: string,
  options?: {
    readonly readonly?: boolean;
    readonly fileMustExist?: boolean;
    readonly timeout?: number;
  },
) => Sqlite;

/**
 * Loads the driver on first use. It is an optional dependency, which is compiled on machines without a ready build. Its native part is loaded
 * with the first database, and may be built for another version of Node.
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
      `cannot load the package better-sqlite3, which journals need (${reasonOf(cause)}); install it with: npm install better-sqlite3, or recompile it after a change of Node with: npm rebuild better-sqlite3`,
      { cause },
    );
  }
}

const OTHERS = 0o077;
const OWN_FILE = 0o600;

/**
 * Makes a database's file for the user alone, or removes the rights of others: the file shows positions and orders, and whoever can open
 * a lock can hold it. SQLite gives the files beside it the same mode. If a mode cannot be changed, opening the file reports the problem.
 */
export function keepPrivate(file: string): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`]) leaveAlone(() => closeToOthers(each));
  leaveAlone(() => closeSync(openSync(file, 'wx', OWN_FILE)));
}

function closeToOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  // Change the mode by name: closing a handle would drop every lock that this process has on the file.
  if (found?.isFile() === true && (found.mode & OTHERS) !== 0 && found.uid === process.getuid?.())
    chmodSync(file, OWN_FILE);
}

/** Ignores failures. Another process may make the file, or remove its log, at the same time; any other problem appears when the file is opened. */
function leaveAlone(change: () => void): void {
  try {
    change();
  } catch {
    // Leave the file as it is.
  }
}

/** Source: SQLite's list of extended result codes. */
const READ_FAILURES: ReadonlySet<string> = new Set([
  'SQLITE_IOERR_READ',
  'SQLITE_IOERR_SHORT_READ',
]);

/** Makes the error for a failed call of SQLite: a full disk, a damaged file, a foreign file, or a failure of the call itself. */
export function journalFailure(
  file: string,
  cause: unknown,
  doing: 'read' | 'write' = 'write',
): JournalError {
  if (cause instanceof JournalError) return cause;
  const code = sqliteCode(cause) ?? '';
  const received = reasonOf(cause);
  if (code === 'SQLITE_FULL') {
    return new JournalError(
      'E_JOURNAL_FULL',
      `${file}: cannot write the journal: the disk is full or its limit is reached (${received}); free some space, then start again`,
      { cause },
    );
  }
  if (code === 'SQLITE_NOTADB')
    return foreignFile(file, 'a file that is not a SQLite database', cause);
  if (code.startsWith('SQLITE_CORRUPT')) return corruptJournal(file, received, cause);
  // The driver finds a missing folder before SQLite does, and its error has no code.
  const isUnopened =
    received.startsWith('Cannot open database') || code.startsWith('SQLITE_CANTOPEN');
  if (isUnopened || code.startsWith('SQLITE_READONLY')) {
    return new JournalError(
      'E_JOURNAL_OPEN',
      `${file}: cannot open the journal, or cannot write its folder (${received})`,
      { cause },
    );
  }
  if (doing === 'read' || READ_FAILURES.has(code)) {
    return new JournalError('E_JOURNAL_READ', `${file}: cannot read the journal (${received})`, {
      cause,
    });
  }
  return new JournalError('E_JOURNAL_WRITE', `${file}: cannot write the journal (${received})`, {
    cause,
  });
}

export function corruptJournal(file: string, received: string, cause?: unknown): JournalError {
  return new JournalError(
    'E_JOURNAL_CORRUPT',
    `${file}: the journal is damaged (${received}); keep the file, then restore a copy, or start with a new journal: with live.externalOrders: claim the bot then takes its orders and positions from the venue`,
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
