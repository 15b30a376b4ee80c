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

/** Most expired entries that may stay before those that still count. */
const MOST_OVER = 64;

/** The calls of one budget that may still count, and when a further call fits. */
export class WindowLog {
  readonly #windowMs: number;
  readonly #entries: LogEntry[] = [];
  /** Index of the first entry that may still count, and the index after the last entry. Places are used again. */
  #first = 0;
  #end = 0;
  /** Whether the entries are in order of `countedBy`. Then only the newest ones must be examined, however many wait. */
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
   * Takes the first free share for one command from `now` on, and returns its time, which may lie in the future. The command counts at that time: there is
   * nothing to settle.
   */
  reserve(now: EpochMs, limit: number): EpochMs {
    this.forget(now);
    const at =
      this.#end === this.#first
        ? now
        : this.earliest({ from: now, weight: 1, limit, commandsCount: true });
    this.add({ weight: 1, isCommand: true, countedBy: at });
    return at;
  }

  /** Earliest instant from `from` on at which `weight` more calls keep every window within `limit`. */
  earliest(question: Question): EpochMs {
    return this.#isInOrder ? this.#earliestInOrder(question) : this.#earliestOfAll(question);
  }

  /** Goes back from the newest entry. The first entry that does not fit beside the later ones must expire before the new call. */
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

  /** Weight of the calls in the window that ends at `now`, including calls that the venue may still count. */
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

  /** Drops entries that no window that reaches `now` or later can hold. Works in place, because it runs with every call. */
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

  /** Expired entries stand first. They are removed many at a time, because each removal moves all later entries. */
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
