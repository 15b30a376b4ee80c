import type { Command, EngineEvent, Journal, JournalEntry } from '../../../src/engine/index.js';

/** Keeps the events that led to commands, in memory. */
export class MemoryJournal implements Journal {
  readonly #entries: JournalEntry[] = [];

  append(event: EngineEvent, commands: readonly Command[]): void {
    if (commands.length > 0) this.#entries.push({ event, commands });
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }
}
