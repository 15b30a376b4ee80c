import type { Command, EngineEvent } from './events.js';

/** Where an engine records what it took in and what it wanted done. An event and its commands are one entry. */
export interface Journal {
  append(event: EngineEvent, commands: readonly Command[]): void;
}

export interface JournalEntry {
  readonly event: EngineEvent;
  readonly commands: readonly Command[];
}

/**
 * Keeps, in memory, the events that led to commands. The others of a backtest are its stored candles, which the result names by their
 * hash; keeping a million of them again would only cost memory.
 */
export class MemoryJournal implements Journal {
  readonly #entries: JournalEntry[] = [];

  append(event: EngineEvent, commands: readonly Command[]): void {
    if (commands.length > 0) this.#entries.push({ event, commands });
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }
}

/**
 * Keeps nothing. A backtest's events are its stored candles, and its orders are in its record: keeping both again costs a third of the
 * speed and serves only who compares runs.
 */
export const NO_JOURNAL: Journal = { append: () => undefined };
