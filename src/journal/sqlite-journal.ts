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
import { readNumber } from './schema.js';
import {
  journalFailure,
  loadSqlite,
  type Sqlite,
  type SqliteDriver,
  type SqliteStatement,
} from './sqlite.js';
import { takeWriterLock, type WriterLock } from './writer-lock.js';

/** Events of the market without commands that share a commit: what a crash may lose of them is polled again. */
const GROUP_SIZE = 64;
/** The event after which the open epoch has kept what the engine owned; the one before its first, where it has not. */
const LAST_CHECKPOINT =
  'SELECT coalesce((SELECT max(event) FROM checkpoints), (SELECT max(first_event) FROM epochs) - 1)';
/** Events from one checkpoint to the next: what a recovery reads at most, in a tenth of a second or so. */
const EVENTS_PER_CHECKPOINT = 10_000;
/**
 * Events that are on the disk at once. No poll brings back what the operator said and what the bot knew of its own health. What the venue said of orders and
 * positions could be read again, but that takes as many calls as there are instruments, and until then nobody knows which stops are to be watched.
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
  /** Path of the journal; two more files, `-wal` and `-shm`, and its `-lock` stand beside it. */
  readonly file: string;
  /**
   * `before-commands`: an event with commands is on the disk before they are handed out. `grouped`: commands do not hurry a commit;
   * for runs that send nothing. @defaultValue 'before-commands'
   */
  readonly commits?: 'before-commands' | 'grouped';
  /** Events that share a commit. @defaultValue 64 */
  readonly groupSize?: number;
  /** Size at which the journal counts as a full disk. @defaultValue as large as the disk lets it be */
  readonly maxBytes?: number | undefined;
  /** @defaultValue better-sqlite3 */
  readonly loadDriver?: () => Promise<{ readonly default: SqliteDriver }>;
}

export interface JournalSize {
  /** On the disk, the write-ahead log left out. */
  readonly bytes: number;
  readonly epochs: number;
  /** Of the newest epoch: what a recovery has to replay. */
  readonly epochEvents: number;
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
 * A bot's journal in one SQLite file: a chain of epochs, each with what the engine took in and what it wanted done.
 *
 * An event and its commands are one transaction, on the disk before {@link append} returns; events without commands share a commit with
 * what comes after them. The first failure is the last: nothing is written after it, and every call throws it again.
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
  /** Of the last entry of the epoch. */
  #digest: Uint8Array = FIRST_DIGEST;
  /** The event after which what the engine owned was kept last, or the epoch began. */
  #lastCheckpoint = 0;
  #isEpochOpen = false;
  /** Events of the transaction that is open. */
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
    // The newest epoch may have no event yet, and those before it may be deleted.
    this.#lastEvent = this.#count(
      'SELECT max((SELECT coalesce(max(id), 0) FROM events), (SELECT coalesce(max(first_event), 1) - 1 FROM epochs))',
    );
  }

  /**
   * Begins an epoch; one that is open is closed. With `keep`, older epochs than the newest `keep` are deleted and their space is given
   * back to the disk.
   */
  beginEpoch(header: EpochHeader, options: { readonly keep?: number } = {}): void {
    this.#write(() => {
      this.#closeOpenEpochs('followed by another');
      this.#insertEpoch(header);
      this.#digest = FIRST_DIGEST;
      this.#lastCheckpoint = this.#lastEvent;
      if (options.keep !== undefined) this.#prune(options.keep);
    });
    this.flush();
    if (options.keep !== undefined) this.#write(() => this.#db.pragma('incremental_vacuum'));
    this.flush();
    this.#isEpochOpen = true;
  }

  /**
   * Goes on with the newest epoch, after its entries have been replayed.
   *
   * @throws {InvariantError} `E_JOURNAL_EPOCH` when there is none that is open.
   */
  resumeEpoch(): void {
    const open = 'SELECT count(*) FROM epochs WHERE closed IS NULL';
    if (this.#guarded(() => this.#count(open)) === 0) {
      throw new InvariantError('E_JOURNAL_EPOCH', 'no epoch is open to go on with');
    }
    this.#digest = this.#guarded(() => this.#lastDigest());
    this.#lastCheckpoint = this.#guarded(() => this.#count(LAST_CHECKPOINT));
    this.#isEpochOpen = true;
  }

  /** Closes the epoch with the reason, for people, and what the engine owned. What follows needs a new one. */
  closeEpoch(reason: string, ending?: EngineCheckpoint): void {
    this.#write(() => {
      this.#closeOpenEpochs(reason, ending);
    });
    this.flush();
    this.#isEpochOpen = false;
  }

  /**
   * Adds an event with its commands, what the strategy wanted, and what it keeps where that has changed.
   *
   * @throws {JournalError} `E_JOURNAL_FULL`, `E_JOURNAL_WRITE`: what was not recorded before is lost, and nothing may be sent any more.
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
        'no epoch is open: one begins before the first event',
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
    // Candles that are polled again warm up a strategy that has changed meanwhile: what it kept of them would be lost.
    const isLasting = state !== undefined || LASTING.has(event.kind);
    const isUrgent = this.#isHurried && (commands.length > 0 || isLasting);
    if (isUrgent || this.#waiting >= this.#groupSize) this.flush();
  }

  /** Whether so much was appended since the epoch began, or a checkpoint was kept, that the next one is due. */
  get isCheckpointDue(): boolean {
    return this.#isEpochOpen && this.#lastEvent - this.#lastCheckpoint >= EVENTS_PER_CHECKPOINT;
  }

  /** Keeps what the engine owns after the event that was appended last: a recovery need not read what is before it. */
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

  /** Brings to the disk what was appended. */
  flush(): void {
    this.#guarded(() => {
      if (this.#db.inTransaction) this.#commit.run();
      this.#waiting = 0;
    });
  }

  /** How large the journal has become. */
  size(): JournalSize {
    return this.#guarded(() => ({
      bytes: readNumber(this.#db, 'page_count') * readNumber(this.#db, 'page_size'),
      epochs: this.#count('SELECT count(*) FROM epochs'),
      epochEvents:
        this.#lastEvent + 1 - this.#count('SELECT coalesce(max(first_event), 1) FROM epochs'),
    }));
  }

  /** Whether its lock is still this process's: where the file of that was removed, another process may write, and trade, too. */
  get isHeld(): boolean {
    return this.#lock.isHeld;
  }

  /** Brings everything to the disk and gives the file free. Safe to call after a failure, and twice. */
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

  /** What was written of epochs last gets its digest. Of a journal that had none before, all. */
  #sealEpochs(): void {
    const seal = this.#db.prepare('UPDATE epochs SET digest = ? WHERE id = ?');
    const rows = this.#db.prepare('SELECT * FROM epochs WHERE digest IS NULL').all() as readonly {
      readonly id: number;
    }[];
    for (const row of rows) seal.run(digestEpoch(row), row.id);
  }

  #prune(keep: number): void {
    const first = this.#count(
      'SELECT coalesce(min(first_event), 0) FROM (SELECT first_event FROM epochs ORDER BY id DESC LIMIT ?)',
      Math.max(1, keep),
    );
    this.#db.prepare('DELETE FROM commands WHERE event < ?').run(first);
    this.#db.prepare('DELETE FROM intents WHERE event < ?').run(first);
    this.#db.prepare('DELETE FROM states WHERE event < ?').run(first);
    this.#db.prepare('DELETE FROM candles WHERE event < ?').run(first);
    this.#db.prepare('DELETE FROM events WHERE id < ?').run(first);
    this.#db
      .prepare(
        'DELETE FROM epochs WHERE id NOT IN (SELECT id FROM epochs ORDER BY id DESC LIMIT ?)',
      )
      .run(Math.max(1, keep));
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

  /** Runs within the open transaction, which it opens where there is none. */
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
      // An entry is whole or not there.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw this.#failure;
    }
  }
}
