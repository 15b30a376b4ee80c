import type { EpochMs } from '../../domain/index.js';

/** One admitted call in a log. */
export interface LogEntry {
  readonly weight: number;
  readonly isCommand: boolean;
  /** Latest instant at which the venue may have counted the call; its share is free again one window later. */
  countedBy: EpochMs;
}

interface Question {
  readonly from: EpochMs;
  readonly weight: number;
  readonly limit: number;
  /** Whether calls of commands are counted. */
  readonly commandsCount: boolean;
}

/** So many entries that are over may stand before those that count. */
const MOST_OVER = 64;

/** The calls of one budget that may still count, and when a further call fits. */
export class WindowLog {
  readonly #windowMs: number;
  readonly #entries: LogEntry[] = [];
  /** Where those begin that may still count, and the place behind the last: places are used again. */
  #first = 0;
  #end = 0;
  /** Whether no entry counts before one that was added before it: then none but the newest need be looked at, however many wait. */
  #isInOrder: boolean;
  readonly #mayBeInOrder: boolean;

  /** `isCountedAtOnce`: entries keep the instant that they are added with. */
  constructor(windowMs: number, isCountedAtOnce = false) {
    this.#windowMs = windowMs;
    this.#mayBeInOrder = isCountedAtOnce;
    this.#isInOrder = isCountedAtOnce;
  }

  get isEmpty(): boolean {
    return this.#end === this.#first;
  }

  add(entry: LogEntry): void {
    const last = this.#end > this.#first ? this.#entries[this.#end - 1] : undefined;
    if (last !== undefined && last.countedBy > entry.countedBy) this.#isInOrder = false;
    this.#entries[this.#end] = entry;
    this.#end += 1;
  }

  /**
   * Takes the first share that one command finds from `now` on, which may lie in the future, and returns when it goes. There is nothing to settle: it is counted
   * then.
   */
  reserve(now: EpochMs, limit: number): EpochMs {
    this.forget(now);
    const at = this.isEmpty
      ? now
      : this.earliest({ from: now, weight: 1, limit, commandsCount: true });
    this.add({ weight: 1, isCommand: true, countedBy: at });
    return at;
  }

  /** Earliest instant from `from` on at which `weight` more calls keep every window within `limit`. */
  earliest(question: Question): EpochMs {
    return this.#isInOrder ? this.#earliestInOrder(question) : this.#earliestOfAll(question);
  }

  /** From the newest back: the first that does not fit beside those after it has to be over. */
  #earliestInOrder({ from, weight, limit, commandsCount }: Question): EpochMs {
    const entries = this.#entries;
    let used = weight;
    for (let index = this.#end - 1; index >= this.#first; index -= 1) {
      const entry = entries[index] as LogEntry;
      const free = entry.countedBy + this.#windowMs;
      if (free <= from) return from;
      if (!commandsCount && entry.isCommand) continue;
      used += entry.weight;
      if (used > limit) return free;
    }
    return from;
  }

  #earliestOfAll({ from, weight, limit, commandsCount }: Question): EpochMs {
    const entries = this.#entries;
    let used = 0;
    for (let index = this.#first; index < this.#end; index += 1) {
      const entry = entries[index] as LogEntry;
      if (this.#holds(entry, from, commandsCount)) used += entry.weight;
    }
    // Nearly all calls are far from the limit.
    if (used + weight <= limit) return from;
    let at = from;
    const holding = entries
      .slice(this.#first, this.#end)
      .filter((entry) => this.#holds(entry, from, commandsCount));
    for (const entry of holding.sort((a, b) => a.countedBy - b.countedBy)) {
      used -= entry.weight;
      at = entry.countedBy + this.#windowMs;
      if (used + weight <= limit) break;
    }
    return at;
  }

  /** Share of the window that ends at `now`: calls that count, or may still come to. */
  used(now: EpochMs): number {
    let used = 0;
    for (let index = this.#first; index < this.#end; index += 1) {
      const { countedBy, weight } = this.#entries[index] as LogEntry;
      if (countedBy + this.#windowMs > now) used += weight;
    }
    return used;
  }

  #holds(entry: LogEntry, from: EpochMs, commandsCount: boolean): boolean {
    return entry.countedBy + this.#windowMs > from && (commandsCount || !entry.isCommand);
  }

  /** Drops what no window that reaches `now` or later can hold. In place: it is asked for with every call. */
  forget(now: EpochMs): void {
    if (this.#isInOrder) {
      this.#forgetInOrder(now);
      return;
    }
    const entries = this.#entries;
    let kept = 0;
    for (let index = this.#first; index < this.#end; index += 1) {
      const entry = entries[index] as LogEntry;
      if (entry.countedBy + this.#windowMs <= now) continue;
      entries[kept] = entry;
      kept += 1;
    }
    this.#first = 0;
    this.#end = kept;
    if (kept === 0) this.#isInOrder = this.#mayBeInOrder;
  }

  /** What is over stands first. It is moved out together: each time would move all that wait. */
  #forgetInOrder(now: EpochMs): void {
    const entries = this.#entries;
    for (; this.#first < this.#end; this.#first += 1)
      if ((entries[this.#first] as LogEntry).countedBy + this.#windowMs > now) break;
    if (this.#first === this.#end) {
      this.#first = 0;
      this.#end = 0;
    } else if (this.#first > MOST_OVER && 2 * this.#first > this.#end) {
      entries.splice(0, this.#first);
      this.#end -= this.#first;
      this.#first = 0;
    }
  }

  /** Moves all entries in time, after the clock itself was moved. */
  shift(byMs: number): void {
    for (let index = this.#first; index < this.#end; index += 1)
      (this.#entries[index] as LogEntry).countedBy += byMs;
  }
}
