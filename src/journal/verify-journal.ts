import { JournalError } from '../domain/index.js';
import type { Epoch } from './epoch.js';
import { describeLost, lostCommits } from './lost-commits.js';
import { readJournal, type JournalReader, type StoredEntry } from './journal-reader.js';

/** The result of the check of a whole journal. */
interface JournalVerdict {
  readonly epochs: number;
  /** Number of intact events. */
  readonly events: number;
  /** Descriptions of the damage found: of a page of the file, of its log, or the first of each epoch. Empty if the journal is intact. */
  readonly damage: readonly string[];
}

const EVENTS_PER_BREATH = 1_024;

/**
 * Reads a journal from its first page to its last, and compares every event with the checksum that was written with it. In the log beside it (`-wal`)
 * it looks for commits that cannot be read any more.
 *
 * @throws {JournalError} as `readJournal`, and `E_JOURNAL_CORRUPT` for the header of an epoch; the signal's reason when interrupted.
 */
export async function verifyJournal(
  file: string,
  {
    breathe,
    signal,
  }: { readonly breathe: () => Promise<void>; readonly signal?: AbortSignal | undefined },
): Promise<JournalVerdict> {
  // Before the reader: a journal that is open may begin its log anew.
  const lost = await lostCommits(file);
  const reader = await readJournal(file);
  try {
    const pages = reader.checkPages();
    if (pages !== undefined) return { epochs: 0, events: 0, damage: [pages] };
    const damage: string[] = lost === 0 ? [] : [describeLost(lost)];
    let events = 0;
    const epochs = reader.epochs();
    for (const epoch of epochs) {
      const check = new EpochCheck(reader, epoch);
      for (let found = check.next(EVENTS_PER_BREATH); ; found = check.next(EVENTS_PER_BREATH)) {
        await breathe();
        signal?.throwIfAborted();
        if (found === 'more') continue;
        if (found !== 'all') damage.push(found.damage);
        break;
      }
      events += check.intact;
    }
    return { epochs: epochs.length, events, damage };
  } finally {
    reader.close();
  }
}

/** Checks the events of an epoch in parts, and at the end its checkpoint. */
export class EpochCheck {
  readonly #reader: JournalReader;
  readonly #epoch: Epoch;
  readonly #entries: Iterator<StoredEntry, undefined>;
  /** Number of events that were found intact. */
  intact = 0;

  constructor(reader: JournalReader, epoch: Epoch) {
    this.#reader = reader;
    this.#epoch = epoch;
    this.#entries = reader.entries(epoch);
  }

  /** Checks the next `count` events. `all`: there are no more. */
  next(count: number): 'more' | 'all' | { readonly damage: string } {
    const where = `epoch ${String(this.#epoch.id)}`;
    try {
      for (let looked = 0; looked < count; looked += 1) {
        const { done, value } = this.#entries.next();
        if (done === true) {
          this.#reader.keptCheckpoint(this.#epoch);
          return 'all';
        }
        if (!value.isIntact)
          return {
            damage: `${where}, event ${String(value.id)}: it was changed, or an earlier event is missing`,
          };
        this.intact += 1;
      }
      return 'more';
    } catch (error: unknown) {
      if (!(error instanceof JournalError)) throw error;
      return { damage: `${where}: ${error.message}` };
    }
  }
}
