import { statSync, type Stats } from 'node:fs';
import {
  closeTimeOf,
  JournalError,
  reasonOf,
  type EpochMs,
  type InstrumentId,
  type Interval,
  type OrderRequest,
} from '../domain/index.js';
import {
  type EngineCheckpoint,
  type EngineEvent,
  type JournalEntry,
  type RecordedIntent,
  foldOrderHistory,
  type ClaimedSide,
  type OrderHistory,
} from '../engine/index.js';
import { openForReading } from './connection.js';
import {
  digestCheckpoint,
  digestEntry,
  digestEpoch,
  FIRST_DIGEST,
  isSameDigest,
  type EntryRows,
} from './entry-digest.js';
import type { Epoch, EpochSource } from './epoch.js';
import { commandFromRow, eventFromRows, intentFromRow } from './event-rows.js';
import { readExact } from './exact-json.js';
import { readCheckpoint } from './checkpoint-text.js';
import type { ToldCandle } from './told-candles.js';
import {
  PAGE,
  EVENTS,
  CANDLES,
  COMMAND_TIMES,
  LAST_TIME,
  TOLD,
  COMMANDS_BETWEEN,
  INTENTS,
  STATES,
  KEPT,
  REQUESTS,
  UPDATES,
  eventRowOf,
  candleRowOf,
  RowsByEvent,
  type EventColumns,
  type KeptColumns,
  type StoredCandleColumns,
  type ToldColumns,
  type CommandColumns,
  type IntentColumns,
  type StateColumns,
  type EpochRow,
} from './stored-rows.js';
import { corruptJournal, foreignFile, journalFailure, loadSqlite, type Sqlite } from './sqlite.js';

type VenueEvent = Extract<EngineEvent, { readonly kind: 'venue' }>;

/** An entry as the reader found it. */
export interface StoredEntry extends JournalEntry {
  readonly id: number;
  readonly intents: readonly RecordedIntent[];
  /** Whether this entry and all before it in its epoch have their right digests. */
  readonly isIntact: boolean;
}

/** The engine's state after an event within an open epoch. */
export interface KeptCheckpoint {
  /** Number of the event. */
  readonly event: number;
  readonly time: EpochMs;
  readonly checkpoint: EngineCheckpoint;
  /** Digest of the event and all before it. */
  readonly digest: Uint8Array;
}

/**
 * Opens a journal for reading, also while its bot is writing.
 *
 * @throws {JournalError} `E_JOURNAL_MISSING`, `E_JOURNAL_DRIVER`, `E_JOURNAL_OPEN`, `E_JOURNAL_FOREIGN`, `E_JOURNAL_VERSION`.
 */
export async function readJournal(file: string): Promise<JournalReader> {
  const found = statOf(file);
  if (found === undefined) throw new JournalError('E_JOURNAL_MISSING', `${file}: no such journal`);
  if (found.isDirectory()) throw foreignFile(file, 'a folder');
  return new JournalReader(openForReading(await loadSqlite(), file), file);
}

/** @throws {JournalError} `E_JOURNAL_OPEN` if its path leads through a file, or may not be followed. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (cause: unknown) {
    throw new JournalError(
      'E_JOURNAL_OPEN',
      `${file}: cannot open the journal (${reasonOf(cause)})`,
      {
        cause,
      },
    );
  }
}

/** Reads a journal: its epochs, and the entries of an epoch. */
export class JournalReader {
  readonly #db: Sqlite;
  readonly #file: string;

  /** Use {@link readJournal}. */
  constructor(db: Sqlite, file: string) {
    this.#db = db;
    this.#file = file;
  }

  /** All epochs, oldest first. @throws {JournalError} `E_JOURNAL_CORRUPT`, also for a header with a wrong digest. */
  epochs(): readonly Epoch[] {
    return this.#guarded(() =>
      this.#db
        .prepare('SELECT * FROM epochs ORDER BY id')
        .all()
        .map((row) => this.#epoch(row as EpochRow)),
    );
  }

  /**
   * Yields the entries of an epoch in order, up to the last that is there now. With `after`, it yields only those after that checkpoint.
   *
   * @throws {JournalError} `E_JOURNAL_CORRUPT` naming the event whose rows cannot be read.
   */
  *entries(epoch: Epoch, after?: KeptCheckpoint): IterableIterator<StoredEntry> {
    const last = this.lastEvent(epoch);
    const first = after === undefined ? epoch.firstEvent : after.event + 1;
    let expected = first;
    let digest = after?.digest ?? FIRST_DIGEST;
    for (let from = first; from <= last; from += PAGE) {
      const { events, candles, commands, intents, states } = this.#page(
        from,
        Math.min(from + PAGE, last + 1),
      );
      for (const row of events) {
        if (row.id !== expected) {
          throw corruptJournal(
            this.#file,
            `event ${String(row.id)} instead of ${String(expected)}`,
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

  /**
   * The newest checkpoint within an open epoch. Undefined if there is none, or if the epoch is closed.
   *
   * @throws {JournalError} `E_JOURNAL_CORRUPT` if its digest is wrong.
   */
  keptCheckpoint({ closed, firstEvent }: Epoch): KeptCheckpoint | undefined {
    if (closed !== undefined) return undefined;
    const row = this.#guarded(() => this.#db.prepare(KEPT).get(firstEvent)) as
      KeptColumns | undefined;
    if (row === undefined) return undefined;
    const { event, time, body, digest, chain } = row;
    if (!isSameDigest(digestCheckpoint(chain, body), digest))
      throw corruptJournal(
        this.#file,
        `in the state stored after event ${String(event)}: it was changed`,
      );
    return { event, time, checkpoint: readCheckpoint(body), digest: chain };
  }

  /** Number of the last event of an epoch that is there now. Without events, it is the number before the epoch's first. */
  lastEvent({ id, firstEvent }: Epoch): number {
    const next = this.epochs().find((epoch) => epoch.id > id);
    return Math.max(firstEvent - 1, this.#lastEvent(next?.firstEvent ?? Number.MAX_SAFE_INTEGER));
  }

  /** Checks the pages of the file. Returns what SQLite finds wrong, undefined if all is right. */
  checkPages(): string | undefined {
    const found = this.#guarded(() =>
      String(this.#db.pragma('integrity_check(1)', { simple: true })),
    );
    return found === 'ok' ? undefined : `in a page of the file: ${found}`;
  }

  /** The history of the orders of all epochs. @throws {JournalError} `E_JOURNAL_CORRUPT`. */
  orderHistory(): OrderHistory {
    const requests = this.#bodies(REQUESTS) as readonly OrderRequest[];
    return foldOrderHistory(requests, this.#updates());
  }

  /** What the venue reported in all epochs. What an epoch began by claiming comes before its events. */
  *#updates(): IterableIterator<VenueEvent['update'] | ClaimedSide> {
    const epochs = this.epochs().filter(({ header }) => header.checkpoint.claimed !== undefined);
    let from = 0;
    for (const { firstEvent, header } of epochs) {
      yield* this.#updatesOf(from, firstEvent);
      yield* header.checkpoint.claimed ?? [];
      from = firstEvent;
    }
    yield* this.#updatesOf(from, Number.MAX_SAFE_INTEGER);
  }

  #updatesOf(from: number, to: number): readonly VenueEvent['update'][] {
    const events = this.#bodies(UPDATES, from, to) as readonly VenueEvent[];
    return events.map(({ update }) => update);
  }

  /**
   * Candles of one series that the bot received in all epochs, newest first. Does not check digests: `entries` does.
   *
   * @throws {JournalError} `E_JOURNAL_CORRUPT` for a candle that cannot be read.
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

  /** Instants with commands, the newest first. */
  commandTimes(most: number): readonly EpochMs[] {
    return this.#guarded(() => this.#db.prepare(COMMAND_TIMES).pluck().all(most)).map(Number);
  }

  /** Time of the last event; undefined if there is none. */
  lastTime(): EpochMs | undefined {
    const time = this.#guarded(() => this.#db.prepare(LAST_TIME).pluck().get());
    return time === undefined ? undefined : Number(time);
  }

  /** Whether an event of this kind exists in an epoch or in a later one. @throws {JournalError} `E_JOURNAL_CORRUPT`. */
  hasEvent({ firstEvent }: Epoch, kind: EngineEvent['kind']): boolean {
    const sql = 'SELECT 1 FROM events WHERE id >= ? AND kind = ? LIMIT 1';
    return this.#guarded(() => this.#db.prepare(sql).get(firstEvent, kind) !== undefined);
  }

  #bodies(sql: string, ...bounds: readonly number[]): readonly unknown[] {
    const texts = this.#guarded(() =>
      this.#db
        .prepare(sql)
        .pluck()
        .all(...bounds),
    );
    return texts.map((text) => {
      try {
        return readExact(String(text));
      } catch (error: unknown) {
        const what = error instanceof Error ? error.message : String(error);
        throw corruptJournal(this.#file, `in the body of an order or update: ${what}`, error);
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
      throw corruptJournal(this.#file, `in the header of epoch ${String(row.id)}: it was changed`);
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

  /** Events are read first. The same transaction wrote their other rows, so these exist when they are read. */
  #page(
    from: number,
    to: number,
  ): {
    readonly events: readonly EventColumns[];
    readonly candles: RowsByEvent<StoredCandleColumns>;
    readonly commands: RowsByEvent<CommandColumns>;
    readonly intents: RowsByEvent<IntentColumns>;
    readonly states: RowsByEvent<StateColumns>;
  } {
    const read = (sql: string): readonly unknown[] => this.#db.prepare(sql).all(from, to);
    return this.#guarded(() => ({
      events: read(EVENTS) as readonly EventColumns[],
      candles: new RowsByEvent(read(CANDLES) as readonly StoredCandleColumns[]),
      commands: new RowsByEvent(read(COMMANDS_BETWEEN) as readonly CommandColumns[]),
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
