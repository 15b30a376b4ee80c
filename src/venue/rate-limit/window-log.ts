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

/** The calls of one budget that may still count, and when a further call fits. */
export class WindowLog {
  readonly #windowMs: number;
  readonly #entries: LogEntry[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  add(entry: LogEntry): void {
    this.#entries.push(entry);
  }

  /** Earliest instant from `from` on at which `weight` more calls keep every window within `limit`. */
  earliest({ from, weight, limit, commandsCount }: Question): EpochMs {
    let used = 0;
    for (const entry of this.#entries)
      if (this.#holds(entry, from, commandsCount)) used += entry.weight;
    // Nearly all calls are far from the limit.
    if (used + weight <= limit) return from;
    let at = from;
    const holding = this.#entries.filter((entry) => this.#holds(entry, from, commandsCount));
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
    for (const { countedBy, weight } of this.#entries)
      if (countedBy + this.#windowMs > now) used += weight;
    return used;
  }

  #holds(entry: LogEntry, from: EpochMs, commandsCount: boolean): boolean {
    return entry.countedBy + this.#windowMs > from && (commandsCount || !entry.isCommand);
  }

  /** Drops what no window that reaches `now` or later can hold. In place: it is asked for with every call. */
  forget(now: EpochMs): void {
    const entries = this.#entries;
    let kept = 0;
    for (const entry of entries) {
      if (entry.countedBy + this.#windowMs <= now) continue;
      entries[kept] = entry;
      kept += 1;
    }
    while (entries.length > kept) entries.pop();
  }

  /** Moves all entries in time, after the clock itself was moved. */
  shift(byMs: number): void {
    for (const entry of this.#entries) entry.countedBy += byMs;
  }
}
