import { InvariantError } from '../domain/index.js';
import type {
  EngineCheckpoint,
  Command,
  EngineEvent,
  Journal,
  RecordedIntent,
} from '../engine/index.js';
import { openForWriting } from './connection.js';
import {
  digestCheckpoint,
  digestEntry,
  digestEpoch,
  FIRST_DIGEST,
  type EntryRows,
} from './entry-digest.js';
import type { EpochHeader } from './epoch.js';
import {
  candleToRow,
  commandToRow,
  eventToRow,
  intentToRow,
  type StreamName,
} from './event-rows.js';
import { writeCheckpoint } from './checkpoint-text.js';
import { prepareInserts } from './journal-inserts.js';
import {
  journalFailure,
  loadSqlite,
  type Sqlite,
  type SqliteDriver,
  type SqliteStatement,
} from './sqlite.js';
import { takeWriterLock, type WriterLock } from './writer-lock.js';

/** Market events without commands that share a commit. A crash may lose them; the bot then polls the market again. */
const GROUP_SIZE = 64;
/** The event of the last checkpoint in the open epoch; without a checkpoint, the event before the epoch's first. */
const LAST_CHECKPOINT =
  'SELECT coalesce((SELECT max(event) FROM checkpoints), (SELECT max(first_event) FROM epochs) - 1)';
/** Events between two checkpoints. A recovery reads at most so many, in about a tenth of a second. */
const EVENTS_PER_CHECKPOINT = 10_000;
/**
 * Events that are on the disk at once. No poll can repeat the operator's commands and the bot's own health. The venue's updates of orders and positions could
 * be read again, but with as many calls as there are instruments. Until then the bot would not know which stops to watch.
 */
const LASTING: ReadonlySet<EngineEvent['kind']> = new Set([
  'operator',
  'health',
  'opening',
  'rules',
  'strategy-failed',
  'venue',
]);

export interface JournalOptions {
  /** Path of the journal. Its files with `-wal`, `-shm` and `-lock` are in the same folder. */
  readonly file: string;
  /**
   * `before-commands`: an event with commands is on the disk before the engine hands them out. `grouped`: commands do not cause a commit, for
   * runs that send nothing. @defaultValue 'before-commands'
   */
  readonly commits?: 'before-commands' | 'grouped';
  /** Events that share a commit. @defaultValue 64 */
  readonly groupSize?: number;
  /** The journal counts as a full disk at this size. @defaultValue no limit but the disk */
  readonly maxBytes?: number | undefined;
  /** @defaultValue better-sqlite3 */
  readonly loadDriver?: () => Promise<{ readonly default: SqliteDriver }>;
}

/**
 * Opens a bot's journal for writing, and makes it if there is none.
 *
 * @throws {JournalError} `E_JOURNAL_DRIVER`, `E_JOURNAL_LOCKED`, `E_JOURNAL_OPEN`, `E_JOURNAL_FOREIGN`, `E_JOURNAL_VERSION`,
 * `E_JOURNAL_CORRUPT`, `E_JOURNAL_DURABILITY`.
 */
export async function openJournal(options: JournalOptions): Promise<SqliteJournal> {
  const driver = await loadSqlite(options.loadDriver);
  const lock = takeWriterLock(driver, options.file);
  try {
    return new SqliteJournal(openForWriting(driver, options.file, options.maxBytes), lock, options);
  } catch (error: unknown) {
    lock.release();
    throw error;
  }
}

/**
 * A bot's journal in one SQLite file: a chain of epochs, each with the engine's events and commands.
 *
 * An event and its commands are one transaction, which is on the disk before {@link append} returns. Events without commands share a commit
 * with later ones. After the first failure the journal writes nothing more, and every call throws that failure again.
 */
export class SqliteJournal implements Journal {
  readonly #file: string;
  readonly #db: Sqlite;
  readonly #lock: WriterLock;
  readonly #isHurried: boolean;
  readonly #groupSize: number;
  readonly #insert: ReturnType<typeof prepareInserts>;
  readonly #begin: SqliteStatement;
  readonly #commit: SqliteStatement;
  readonly #streams = new Map<string, number>();
  #lastEvent: number;
  /** Digest of the epoch's last entry. */
  #digest: Uint8Array = FIRST_DIGEST;
  /** The event of the last checkpoint, or the event before the epoch's first. */
  #lastCheckpoint = 0;
  #isEpochOpen = false;
  /** Events of the open transaction. */
  #waiting = 0;
  #failure: Error | undefined;

  /** Use {@link openJournal}. */
  constructor(db: Sqlite, lock: WriterLock, options: JournalOptions) {
    this.#file = options.file;
    this.#db = db;
    this.#lock = lock;
    this.#isHurried = options.commits !== 'grouped';
    this.#groupSize = options.groupSize ?? GROUP_SIZE;
    this.#insert = prepareInserts(db);
    for (const row of db.prepare('SELECT id, instrument, content FROM streams').all()) {
      const { id, instrument, content } = row as StreamName & { readonly id: number };
      this.#streams.set(`${instrument} ${content}`, id);
    }
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    // The newest epoch may have no event yet, and somebody may have deleted older epochs.
    this.#lastEvent = this.#count(
      'SELECT max((SELECT coalesce(max(id), 0) FROM events), (SELECT coalesce(max(first_event), 1) - 1 FROM epochs))',
    );
  }

  /** Begins an epoch, and closes the open one. */
  beginEpoch(header: EpochHeader): void {
    this.#write(() => {
      this.#closeOpenEpochs('followed by another');
      this.#insertEpoch(header);
      this.#digest = FIRST_DIGEST;
      this.#lastCheckpoint = this.#lastEvent;
    });
    this.flush();
    // The log's pages go into the file: a copy of the file alone would else have no epoch, and its bot would begin as a new one.
    this.#guarded(() => this.#db.pragma('wal_checkpoint(PASSIVE)'));
    this.#isEpochOpen = true;
  }

  /**
   * Continues the newest epoch, after its entries have been replayed.
   *
   * @throws {InvariantError} `E_JOURNAL_EPOCH` when no epoch is open.
   */
  resumeEpoch(): void {
    const open = 'SELECT count(*) FROM epochs WHERE closed IS NULL';
    if (this.#guarded(() => this.#count(open)) === 0) {
      throw new InvariantError('E_JOURNAL_EPOCH', 'no epoch is open to continue');
    }
    this.#digest = this.#guarded(() => this.#lastDigest());
    this.#lastCheckpoint = this.#guarded(() => this.#count(LAST_CHECKPOINT));
    this.#isEpochOpen = true;
  }

  /** Closes the epoch with a reason for people, and the engine's state. Further events need a new epoch. */
  closeEpoch(reason: string, ending?: EngineCheckpoint): void {
    this.#write(() => {
      this.#closeOpenEpochs(reason, ending);
    });
    this.flush();
    this.#isEpochOpen = false;
  }

  /**
   * Adds an event with its commands, the strategy's intents, and the strategy's state if the event changed it.
   *
   * @throws {JournalError} `E_JOURNAL_FULL`, `E_JOURNAL_WRITE`: events that are not yet on the disk are lost, and nothing may be sent any more.
   * @throws {InvariantError} `E_JOURNAL_EPOCH` without an open epoch.
   */
  append(
    event: EngineEvent,
    commands: readonly Command[],
    intents: readonly RecordedIntent[] = [],
    state?: string,
  ): void {
    if (!this.#isEpochOpen) {
      throw new InvariantError(
        'E_JOURNAL_EPOCH',
        'no epoch is open: one must begin before the first event',
      );
    }
    this.#write(() => {
      const rows = {
        event: eventToRow(event),
        candles: event.kind === 'candles' ? event.candles.map(candleToRow) : [],
        commands: commands.map(commandToRow),
        intents: intents.map(intentToRow),
        state,
      };
      const digest = digestEntry(this.#digest, rows);
      this.#insertRows(this.#lastEvent + 1, rows, digest);
      this.#lastEvent += 1;
      this.#digest = digest;
    });
    // Keep every change of state. If the strategy changes before the next start, candles that are polled again only warm it up, and do not repeat
    // the change.
    const isLasting = state !== undefined || LASTING.has(event.kind);
    const isUrgent = this.#isHurried && (commands.length > 0 || isLasting);
    if (isUrgent || this.#waiting >= this.#groupSize) this.flush();
  }

  /** Whether enough events were appended since the begin of the epoch or its last checkpoint that the next checkpoint is due. */
  get isCheckpointDue(): boolean {
    return this.#isEpochOpen && this.#lastEvent - this.#lastCheckpoint >= EVENTS_PER_CHECKPOINT;
  }

  /** Stores the engine's state after the last appended event. A recovery then need not read the entries before it. */
  keepCheckpoint(checkpoint: EngineCheckpoint): void {
    this.#write(() => {
      const body = writeCheckpoint(checkpoint);
      this.#deleteCheckpoints();
      this.#insert.checkpoint.run(this.#lastEvent, body, digestCheckpoint(this.#digest, body));
    });
    this.#lastCheckpoint = this.#lastEvent;
  }

  #deleteCheckpoints(): void {
    this.#db.prepare('DELETE FROM checkpoints').run();
  }

  /** Commits all appended events. */
  flush(): void {
    this.#guarded(() => {
      if (this.#db.inTransaction) this.#commit.run();
      this.#waiting = 0;
    });
  }

  /** Whether this process still has the lock. If the lock file was removed, another process may write and trade, too. */
  get isHeld(): boolean {
    return this.#lock.isHeld;
  }

  /** Commits everything, closes the file and releases the lock. Safe to call after a failure, and twice. */
  close(): void {
    try {
      if (this.#failure === undefined && this.#db.open) this.flush();
    } finally {
      this.#db.close();
      this.#lock.release();
    }
  }

  #insertRows(id: number, rows: EntryRows, digest: Uint8Array): void {
    const { event, candles, commands, intents, state } = rows;
    const { time, kind, stream, body } = event;
    this.#insert.event.run(id, time, kind, stream && this.#intern(stream), body, digest);
    for (const [position, row] of candles.entries()) {
      const { openTime, open, high, low, close, volume } = row;
      const streamId = this.#intern(row.stream);
      this.#insert.candle.run(id, position, streamId, openTime, open, high, low, close, volume);
    }
    for (const [position, command] of commands.entries()) {
      const { clientOrderId, instrument } = command;
      this.#insert.command.run(id, position, command.kind, clientOrderId, instrument, command.body);
    }
    for (const [position, row] of intents.entries())
      this.#insert.intent.run(id, position, row.intentId, row.time, row.body);
    if (state !== undefined) this.#insert.state.run(id, state);
  }

  #insertEpoch({ hashes, source, checkpoint, ...header }: EpochHeader): void {
    this.#insert.epoch.run({
      ...header,
      ...hashes,
      firstEvent: this.#lastEvent + 1,
      source: JSON.stringify(source),
      checkpoint: writeCheckpoint(checkpoint),
    });
    this.#sealEpochs();
  }

  #closeOpenEpochs(reason: string, ending?: EngineCheckpoint): void {
    this.#deleteCheckpoints();
    this.#db
      .prepare('UPDATE epochs SET closed = ?, ending = ?, digest = NULL WHERE closed IS NULL')
      .run(reason, ending === undefined ? null : writeCheckpoint(ending));
    this.#sealEpochs();
  }

  /** Adds the digest of each epoch that has none: those written last, or all of an older journal. */
  #sealEpochs(): void {
    const seal = this.#db.prepare('UPDATE epochs SET digest = ? WHERE id = ?');
    const rows = this.#db.prepare('SELECT * FROM epochs WHERE digest IS NULL').all() as readonly {
      readonly id: number;
    }[];
    for (const row of rows) seal.run(digestEpoch(row), row.id);
  }

  #intern({ instrument, content }: StreamName): number {
    const key = `${instrument} ${content}`;
    const known = this.#streams.get(key);
    if (known !== undefined) return known;
    const id = Number(this.#insert.stream.run(instrument, content).lastInsertRowid);
    this.#streams.set(key, id);
    return id;
  }

  #lastDigest(): Uint8Array {
    const last =
      'SELECT digest FROM events WHERE id >= (SELECT max(first_event) FROM epochs) ORDER BY id DESC LIMIT 1';
    return (this.#db.prepare(last).pluck().get() as Uint8Array | undefined) ?? FIRST_DIGEST;
  }

  #count(sql: string, ...parameters: readonly number[]): number {
    return Number(
      this.#db
        .prepare(sql)
        .pluck()
        .get(...parameters),
    );
  }

  /** Runs within the open transaction; opens one if there is none. */
  #write(work: () => void): void {
    this.#guarded(() => {
      if (!this.#db.inTransaction) this.#begin.run();
      work();
      this.#waiting += 1;
    });
  }

  #guarded<T>(work: () => T): T {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return work();
    } catch (error: unknown) {
      this.#failure = error instanceof InvariantError ? error : journalFailure(this.#file, error);
      // An entry is stored completely or not at all.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw this.#failure;
    }
  }
}
