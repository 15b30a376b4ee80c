import { existsSync } from 'node:fs';
import {
  closeTimeOf,
  JournalError,
  type InstrumentId,
  type Interval,
  type OrderRequest,
} from '../domain/index.js';
import {
  type EngineEvent,
  type JournalEntry,
  type RecordedIntent,
  foldOrderHistory,
  type OrderHistory,
} from '../engine/index.js';
import { openForReading } from './connection.js';
import {
  digestEntry,
  digestEpoch,
  FIRST_DIGEST,
  isSameDigest,
  type EntryRows,
} from './entry-digest.js';
import type { Epoch, EpochSource, RunMode } from './epoch.js';
import {
  commandFromRow,
  eventFromRows,
  intentFromRow,
  type CandleRow,
  type CommandRow,
  type EventRow,
  type IntentRow,
} from './event-rows.js';
import { readExact } from './exact-json.js';
import { readCheckpoint } from './checkpoint-text.js';
import type { ToldCandle } from './told-candles.js';
import {
  corruptJournal,
  journalFailure,
  loadSqlite,
  type Sqlite,
  type SqliteDriver,
} from './sqlite.js';

/** An entry as it was found. */
export interface StoredEntry extends JournalEntry {
  readonly id: number;
  readonly intents: readonly RecordedIntent[];
  /** Whether it and all before it in its epoch are what was written. */
  readonly isIntact: boolean;
}

/**
 * Opens a journal for reading, also while its bot is writing.
 *
 * @throws {JournalError} `E_JOURNAL_MISSING`, `E_JOURNAL_DRIVER`, `E_JOURNAL_OPEN`, `E_JOURNAL_FOREIGN`, `E_JOURNAL_VERSION`.
 */
export async function readJournal(
  file: string,
  loadDriver?: () => Promise<{ readonly default: SqliteDriver }>,
): Promise<JournalReader> {
  if (!existsSync(file)) {
    throw new JournalError('E_JOURNAL_MISSING', `${file}: no such journal`);
  }
  return new JournalReader(openForReading(await loadSqlite(loadDriver), file), file);
}

/** Reads a journal: its epochs, and the entries of one. */
export class JournalReader {
  readonly #db: Sqlite;
  readonly #file: string;

  /** Use {@link readJournal}. */
  constructor(db: Sqlite, file: string) {
    this.#db = db;
    this.#file = file;
  }

  /** Oldest first. @throws {JournalError} `E_JOURNAL_CORRUPT`, also for a header that is not what was written. */
  epochs(): readonly Epoch[] {
    return this.#guarded(() =>
      this.#db
        .prepare('SELECT * FROM epochs ORDER BY id')
        .all()
        .map((row) => this.#epoch(row as EpochRow)),
    );
  }

  /**
   * Yields the entries of an epoch in order, up to the last one that is there now.
   *
   * @throws {JournalError} `E_JOURNAL_CORRUPT` naming the event whose rows cannot be read.
   */
  *entries({ id, firstEvent }: Epoch): IterableIterator<StoredEntry> {
    const next = this.epochs().find((epoch) => epoch.id > id);
    const last = this.#lastEvent(next?.firstEvent ?? Number.MAX_SAFE_INTEGER);
    let expected = firstEvent;
    let digest = FIRST_DIGEST;
    for (let from = firstEvent; from <= last; from += PAGE) {
      const { events, candles, commands, intents, states } = this.#page(
        from,
        Math.min(from + PAGE, last + 1),
      );
      for (const row of events) {
        if (row.id !== expected) {
          throw corruptJournal(
            this.#file,
            `event ${String(row.id)} where ${String(expected)} was due`,
          );
        }
        expected += 1;
        const rows = {
          event: eventRowOf(row),
          candles: candles.take(row.id).map(candleRowOf),
          commands: commands.take(row.id),
          intents: intents.take(row.id),
          state: states.take(row.id)[0]?.body,
        };
        digest = digestEntry(digest, rows);
        yield this.#entry(row.id, rows, isSameDigest(digest, row.digest));
      }
    }
  }

  /** What SQLite finds wrong with the pages of the file; undefined where nothing is. */
  checkPages(): string | undefined {
    const found = this.#guarded(() =>
      String(this.#db.pragma('integrity_check(1)', { simple: true })),
    );
    return found === 'ok' ? undefined : `a page of the file: ${found}`;
  }

  /** What became of the orders of all epochs. @throws {JournalError} `E_JOURNAL_CORRUPT`. */
  orderHistory(): OrderHistory {
    const requests = this.#bodies(REQUESTS) as readonly OrderRequest[];
    const updates = this.#bodies(UPDATES) as readonly Extract<
      EngineEvent,
      { readonly kind: 'venue' }
    >[];
    return foldOrderHistory(
      requests,
      updates.map(({ update }) => update),
    );
  }

  /**
   * Candles of one series that the bot was told in all epochs, newest first. Whether they are what was written is not looked at: `entries` does.
   *
   * @throws {JournalError} `E_JOURNAL_CORRUPT` for one that cannot be read.
   */
  *toldCandles(instrumentId: InstrumentId, interval: Interval): IterableIterator<ToldCandle> {
    const epochs = this.epochs();
    let at = epochs.length - 1;
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = this.#guarded(() =>
        this.#db.prepare(TOLD).all(instrumentId, interval, before, PAGE),
      ) as readonly ToldColumns[];
      for (const { event, ...prices } of rows) {
        while (at > 0 && (epochs[at]?.firstEvent ?? 0) > event) at -= 1;
        const closeTime = closeTimeOf(prices.openTime, interval);
        const candle = { instrumentId, interval, closeTime, ...prices };
        yield { candle, epochId: epochs[at]?.id ?? 0 };
        before = event;
      }
      if (rows.length < PAGE) return;
    }
  }

  /** Whether an epoch has an event of a kind. @throws {JournalError} `E_JOURNAL_CORRUPT`. */
  hasEvent({ firstEvent }: Epoch, kind: EngineEvent['kind']): boolean {
    const sql = 'SELECT 1 FROM events WHERE id >= ? AND kind = ? LIMIT 1';
    return this.#guarded(() => this.#db.prepare(sql).get(firstEvent, kind) !== undefined);
  }

  #bodies(sql: string): readonly unknown[] {
    const texts = this.#guarded(() => this.#db.prepare(sql).pluck().all());
    return texts.map((text) => {
      try {
        return readExact(String(text));
      } catch (error: unknown) {
        const what = error instanceof Error ? error.message : String(error);
        throw corruptJournal(this.#file, `in the body of an order or an update: ${what}`, error);
      }
    });
  }

  close(): void {
    this.#db.close();
  }

  #entry(id: number, rows: EntryRows, isIntact: boolean): StoredEntry {
    const { event, candles, commands, intents, state } = rows;
    try {
      return {
        id,
        event: eventFromRows(event, candles),
        commands: commands.map(commandFromRow),
        intents: intents.map(intentFromRow),
        state,
        isIntact,
      };
    } catch (error: unknown) {
      const what = error instanceof Error ? error.message : String(error);
      throw corruptJournal(this.#file, `in event ${String(id)}: ${what}`, error);
    }
  }

  #epoch(row: EpochRow): Epoch {
    if (row.digest !== null && !isSameDigest(digestEpoch(row), row.digest))
      throw corruptJournal(
        this.#file,
        `in the header of epoch ${String(row.id)}: it is not what was written`,
      );
    try {
      return {
        id: row.id,
        firstEvent: row.first_event,
        closed: row.closed ?? undefined,
        ending: row.ending === null ? undefined : readCheckpoint(row.ending),
        header: {
          bot: row.bot,
          mode: row.mode,
          hashes: {
            plugin: row.plugin_hash,
            parameters: row.parameters_hash,
            config: row.config_hash,
            terms: row.terms_hash,
            engine: row.engine,
          },
          seed: row.seed,
          constructed: row.constructed,
          started: row.started,
          source: JSON.parse(row.source) as EpochSource,
          checkpoint: readCheckpoint(row.checkpoint),
        },
      };
    } catch (error: unknown) {
      const what = error instanceof Error ? error.message : String(error);
      throw corruptJournal(this.#file, `in the header of epoch ${String(row.id)}: ${what}`, error);
    }
  }

  /** What an event refers to is written with it: rows read after it are there. */
  #page(
    from: number,
    to: number,
  ): {
    readonly events: readonly EventColumns[];
    readonly candles: RowsByEvent<CandleColumns>;
    readonly commands: RowsByEvent<CommandColumns>;
    readonly intents: RowsByEvent<IntentColumns>;
    readonly states: RowsByEvent<StateColumns>;
  } {
    const read = (sql: string): readonly unknown[] => this.#db.prepare(sql).all(from, to);
    return this.#guarded(() => ({
      events: read(EVENTS) as readonly EventColumns[],
      candles: new RowsByEvent(read(CANDLES) as readonly CandleColumns[]),
      commands: new RowsByEvent(read(COMMANDS) as readonly CommandColumns[]),
      intents: new RowsByEvent(read(INTENTS) as readonly IntentColumns[]),
      states: new RowsByEvent(read(STATES) as readonly StateColumns[]),
    }));
  }

  #lastEvent(before: number): number {
    const last = 'SELECT coalesce(max(id), 0) FROM events WHERE id < ?';
    return this.#guarded(() => Number(this.#db.prepare(last).pluck().get(before)));
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error: unknown) {
      throw journalFailure(this.#file, error, 'read');
    }
  }
}

/** Entries read at once. */
const PAGE = 1_024;

const EVENTS = `SELECT events.id, time, kind, instrument, content, body, digest FROM events LEFT JOIN streams ON streams.id = events.stream
  WHERE events.id >= ? AND events.id < ? ORDER BY events.id`;
const CANDLES = `SELECT event, instrument, content, open_time AS openTime, open, high, low, close, volume
  FROM candles JOIN streams ON streams.id = candles.stream WHERE event >= ? AND event < ? ORDER BY event, position`;
/** A series is in an event once at most. */
const TOLD = `SELECT event, open_time AS openTime, open, high, low, close, volume FROM candles
  WHERE stream = (SELECT id FROM streams WHERE instrument = ? AND content = ?) AND event < ? ORDER BY event DESC LIMIT ?`;
const COMMANDS = `SELECT event, kind, client_order_id AS clientOrderId, instrument, body FROM commands
  WHERE event >= ? AND event < ? ORDER BY event, position`;
const INTENTS = `SELECT event, intent AS intentId, time, body FROM intents WHERE event >= ? AND event < ?
  ORDER BY event, position`;
const STATES = 'SELECT event, body FROM states WHERE event >= ? AND event < ? ORDER BY event';
const REQUESTS = "SELECT body FROM commands WHERE kind = 'submit' ORDER BY event, position";
const UPDATES = "SELECT body FROM events WHERE kind = 'venue' ORDER BY id";

interface EventColumns {
  readonly id: number;
  readonly time: number;
  readonly kind: string;
  readonly instrument: string | null;
  readonly content: string | null;
  readonly body: string | null;
  readonly digest: Uint8Array;
}

interface CandleColumns extends Omit<CandleRow, 'stream'> {
  readonly event: number;
  readonly instrument: string;
  readonly content: string;
}

interface ToldColumns extends Omit<CandleRow, 'stream'> {
  readonly event: number;
}

interface CommandColumns extends CommandRow {
  readonly event: number;
}

interface IntentColumns extends IntentRow {
  readonly event: number;
}

interface StateColumns {
  readonly event: number;
  readonly body: string;
}

interface EpochRow {
  readonly id: number;
  readonly first_event: number;
  readonly bot: string;
  readonly mode: RunMode;
  readonly plugin_hash: string;
  readonly parameters_hash: string;
  readonly config_hash: string;
  readonly terms_hash: string;
  readonly engine: string;
  readonly seed: number;
  readonly constructed: number;
  readonly started: number;
  readonly source: string;
  readonly checkpoint: string;
  readonly closed: string | null;
  readonly ending: string | null;
  /** Null where a version wrote it that kept none. */
  readonly digest: Uint8Array | null;
}

function eventRowOf({ time, kind, instrument, content, body }: EventColumns): EventRow {
  const stream = instrument === null || content === null ? undefined : { instrument, content };
  return { time, kind, stream, body };
}

function candleRowOf({ instrument, content, ...row }: CandleColumns): CandleRow {
  return { ...row, stream: { instrument, content } };
}

/** Rows of one table in the order of their events, taken event by event. */
class RowsByEvent<Row extends { readonly event: number }> {
  readonly #rows: readonly Row[];
  #next = 0;

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  /** The rows of one event. Rows of events before it belong to none, and are passed over. */
  take(event: number): readonly Row[] {
    const rows = this.#rows;
    while ((rows[this.#next]?.event ?? event) < event) this.#next += 1;
    const first = this.#next;
    while (rows[this.#next]?.event === event) this.#next += 1;
    return rows.slice(first, this.#next);
  }
}
