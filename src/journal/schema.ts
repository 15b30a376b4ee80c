import { JournalError } from '../domain/index.js';
import { foreignFile, type Sqlite } from './sqlite.js';

/** Marks a file as a journal, in SQLite's header: "EVKL". */
const APPLICATION_ID = 0x45_56_4b_4c;

/**
 * Each migration brings a journal to the next version; the version is the number of applied migrations. Never change a published one. The
 * tables are explained in docs/journal.md.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE epochs (
     id INTEGER PRIMARY KEY,
     first_event INTEGER NOT NULL,
     bot TEXT NOT NULL,
     mode TEXT NOT NULL,
     plugin_hash TEXT NOT NULL,
     parameters_hash TEXT NOT NULL,
     config_hash TEXT NOT NULL,
     terms_hash TEXT NOT NULL,
     engine TEXT NOT NULL,
     seed INTEGER NOT NULL,
     constructed INTEGER NOT NULL,
     started INTEGER NOT NULL,
     source TEXT NOT NULL,
     checkpoint TEXT NOT NULL,
     closed TEXT
   ) STRICT;
   CREATE TABLE streams (
     id INTEGER PRIMARY KEY,
     instrument TEXT NOT NULL,
     content TEXT NOT NULL,
     UNIQUE (instrument, content)
   ) STRICT;
   CREATE TABLE events (
     id INTEGER PRIMARY KEY,
     time INTEGER NOT NULL,
     kind TEXT NOT NULL,
     stream INTEGER REFERENCES streams (id),
     body TEXT,
     digest BLOB NOT NULL
   ) STRICT;
   CREATE TABLE candles (
     event INTEGER NOT NULL,
     position INTEGER NOT NULL,
     stream INTEGER NOT NULL REFERENCES streams (id),
     open_time INTEGER NOT NULL,
     open REAL NOT NULL,
     high REAL NOT NULL,
     low REAL NOT NULL,
     close REAL NOT NULL,
     volume REAL NOT NULL,
     PRIMARY KEY (event, position)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE commands (
     event INTEGER NOT NULL,
     position INTEGER NOT NULL,
     kind TEXT NOT NULL,
     client_order_id TEXT NOT NULL,
     instrument TEXT NOT NULL,
     body TEXT,
     PRIMARY KEY (event, position)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX commands_by_order ON commands (client_order_id);
   CREATE VIEW event_log AS
     SELECT events.id, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS utc, kind, instrument, body
     FROM events LEFT JOIN streams ON streams.id = events.stream;
   CREATE VIEW candle_log AS
     SELECT event, instrument, content AS interval,
       strftime('%Y-%m-%dT%H:%M:%fZ', open_time / 1000.0, 'unixepoch') AS opened, open, high, low, close, volume
     FROM candles JOIN streams ON streams.id = candles.stream;
   CREATE VIEW command_log AS
     SELECT event, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS utc, commands.kind, client_order_id, instrument,
       commands.body
     FROM commands JOIN events ON events.id = commands.event;`,
  'ALTER TABLE epochs ADD COLUMN ending TEXT',
  `CREATE TABLE intents (
     event INTEGER NOT NULL,
     position INTEGER NOT NULL,
     intent INTEGER NOT NULL,
     time INTEGER NOT NULL,
     body TEXT,
     PRIMARY KEY (event, position)
   ) STRICT, WITHOUT ROWID;
   CREATE VIEW intent_log AS
     SELECT event, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS utc, intent, body FROM intents;`,
  `CREATE TABLE states (
     event INTEGER PRIMARY KEY,
     body TEXT NOT NULL
   ) STRICT;
   CREATE VIEW state_log AS
     SELECT event, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS utc, states.body
     FROM states JOIN events ON events.id = states.event;`,
  'ALTER TABLE epochs ADD COLUMN digest BLOB',
  `CREATE TABLE checkpoints (
     event INTEGER PRIMARY KEY,
     body TEXT NOT NULL,
     digest BLOB NOT NULL
   ) STRICT`,
];

/**
 * Makes sure that the file is a journal, or an empty file if `create` is set. With `create`, brings it to the current version.
 *
 * @throws {JournalError} `E_JOURNAL_FOREIGN`; `E_JOURNAL_VERSION` if the journal is newer than the current version, or older and `create` is
 * not set.
 */
export function prepareSchema(
  db: Sqlite,
  file: string,
  options: { readonly create: boolean; readonly migrations?: readonly string[] },
): void {
  const migrations = options.migrations ?? MIGRATIONS;
  const owner = readNumber(db, 'application_id');
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (owner !== APPLICATION_ID && !(isEmpty && owner === 0 && options.create)) {
    throw foreignFile(file, isEmpty ? 'an empty file' : 'a database of another program');
  }
  const version = readNumber(db, 'user_version');
  if (version > migrations.length || (version < migrations.length && !options.create)) {
    const advice =
      version > migrations.length
        ? 'a newer version of evenkeel wrote it: use that version'
        : 'run the bot once with this version of evenkeel to upgrade it';
    throw new JournalError(
      'E_JOURNAL_VERSION',
      `${file}: expected version ${String(migrations.length)} of the journal, received ${String(version)}; ${advice}`,
    );
  }
  if (version === migrations.length) return;
  // Allows the file to give back the space of deleted epochs. SQLite takes this setting before the first table only.
  if (isEmpty) db.pragma('auto_vacuum = INCREMENTAL');
  db.transaction(() => {
    for (const migration of migrations.slice(version)) db.exec(migration);
    db.pragma(`application_id = ${String(APPLICATION_ID)}`);
    db.pragma(`user_version = ${String(migrations.length)}`);
  }).immediate();
}

export function readNumber(db: Sqlite, pragma: string): number {
  return Number(db.pragma(pragma, { simple: true }));
}
