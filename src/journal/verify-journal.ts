import { JournalError } from '../domain/index.js';
import type { Epoch } from './epoch.js';
import { readJournal, type JournalReader, type StoredEntry } from './journal-reader.js';

/** What a look through a whole journal has found. */
export interface JournalVerdict {
  readonly epochs: number;
  /** Events that are what was written. */
  readonly events: number;
  /** What is damaged, of each epoch the first; empty where all is what was written. */
  readonly damage: readonly string[];
}

const EVENTS_PER_BREATH = 1_024;

/**
 * Reads a journal from its first page to its last, and compares every event with the checksum that was written with it.
 *
 * @throws {JournalError} as `readJournal`; the signal's reason when interrupted.
 */
export async function verifyJournal(
  file: string,
  {
    breathe,
    signal,
  }: { readonly breathe: () => Promise<void>; readonly signal?: AbortSignal | undefined },
): Promise<JournalVerdict> {
  const reader = await readJournal(file);
  try {
    const pages = reader.checkPages();
    if (pages !== undefined) return { epochs: 0, events: 0, damage: [pages] };
    const damage: string[] = [];
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

/** Goes through the events of an epoch, some at a time, and then looks at what was kept within it. */
export class EpochCheck {
  readonly #reader: JournalReader;
  readonly #epoch: Epoch;
  readonly #entries: Iterator<StoredEntry, undefined>;
  /** Events that were found to be what was written. */
  intact = 0;

  constructor(reader: JournalReader, epoch: Epoch) {
    this.#reader = reader;
    this.#epoch = epoch;
    this.#entries = reader.entries(epoch);
  }

  /** Looks at the next `count` events. `all`: there are no more. */
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
            damage: `${where}, event ${String(value.id)}: it is not what was written, or one before it is missing`,
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
