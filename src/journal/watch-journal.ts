import { stat } from 'node:fs/promises';
import { JournalError } from '../domain/index.js';
import { readJournal, type JournalReader } from './journal-reader.js';
import { EpochCheck } from './verify-journal.js';

interface JournalWatchOptions {
  readonly file: string;
  /** Whether the process still has the journal's lock. @defaultValue always */
  readonly isHeld?: (() => boolean) | undefined;
  readonly time: { after(delayMs: number, action: () => void): () => void };
  /** Called on each change of the state: a text if the journal is gone, replaced, cut or damaged, or its lock is lost; undefined when it is good again. */
  readonly onState: (text: string | undefined) => void;
}

/** Time between two looks at the file. */
const LOOK_MS = 5_000;
/** Events of the newest epoch that each look reads again. A day with one event a second takes a quarter of an hour, and half a percent of a core. */
const EVENTS_PER_LOOK = 512;

/**
 * Watches the journal of a running bot: whether its file is there and the same, and whether its events are intact, again and again. Returns a function that
 * stops the watch.
 */
export function watchJournalFile({
  file,
  isHeld = () => true,
  time,
  onState,
}: JournalWatchOptions): () => void {
  const look = new Look(file);
  let isOver = false;
  let cancel = (): void => undefined;
  let said: string | undefined;
  const again = (): void => {
    cancel = time.after(LOOK_MS, () => {
      void look.next().then((found) => {
        if (isOver) return;
        const text = found ?? (isHeld() ? undefined : lostLock(file));
        if (text !== said) onState(text);
        said = text;
        again();
      });
    });
  };
  again();
  return () => {
    isOver = true;
    cancel();
    look.close();
  };
}

function lostLock(file: string): string {
  return `${file}-lock: the lock of the journal is gone; no order is sent, because another process may trade in this one's place: stop the bot in order and start it again`;
}

class Look {
  readonly #file: string;
  #first: { readonly ino: number; readonly size: number } | undefined;
  #reader: JournalReader | undefined;
  #check: EpochCheck | undefined;
  #isClosed = false;
  /** Damage stays reported once it is found. */
  #damage: string | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Looks once. Returns what is wrong, undefined if nothing is. */
  async next(): Promise<string | undefined> {
    const now = await stat(this.#file).catch(() => undefined);
    this.#first ??= now;
    if (now === undefined || now.ino !== this.#first?.ino)
      return `${this.#file}: the journal is ${now === undefined ? 'gone' : 'another file'}; what this bot decides is lost with its process: stop it in order, and see that nothing removes its files`;
    if (now.size < this.#first.size)
      return `${this.#file}: the journal was cut, from ${String(this.#first.size)} to ${String(now.size)} bytes`;
    this.#first = now;
    this.#damage ??= await this.#verify();
    return this.#damage;
  }

  async #verify(): Promise<string | undefined> {
    try {
      if (this.#check === undefined) {
        this.#reader ??= await readJournal(this.#file);
        if (this.#isClosed) return undefined;
        const epoch = this.#reader.epochs().at(-1);
        this.#check = epoch && new EpochCheck(this.#reader, epoch);
      }
      const found = this.#check?.next(EVENTS_PER_LOOK) ?? 'all';
      if (found === 'more') return undefined;
      this.#check = undefined;
      return found === 'all' ? undefined : this.#describe(found.damage);
    } catch (error: unknown) {
      if (error instanceof JournalError) return this.#describe(error.message);
      throw error;
    }
  }

  #describe(damage: string): string {
    return `${this.#file}: the journal is damaged (${damage}); "journal verify" tells more`;
  }

  close(): void {
    this.#isClosed = true;
    this.#reader?.close();
    this.#reader = undefined;
  }
}
