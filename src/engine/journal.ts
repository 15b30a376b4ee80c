import type { EpochMs, OrderIntent } from '../domain/index.js';
import type { Command, EngineEvent } from './events.js';

/** What a strategy wanted with an event. */
export interface RecordedIntent {
  readonly intentId: number;
  /** When it was judged: at the event, or at a timer before it. */
  readonly time: EpochMs;
  /** Undefined where it was dropped, because the strategy was not to trade: only its number is gone. */
  readonly intent: OrderIntent | undefined;
}

/** Where an engine records what it took in, what its strategy wanted and keeps, and what it wants done. These are one entry. */
export interface Journal {
  append(
    event: EngineEvent,
    commands: readonly Command[],
    intents: readonly RecordedIntent[],
    /** What the strategy keeps, as JSON, where the event has changed it. */
    state?: string,
  ): void;
}

export interface JournalEntry {
  readonly event: EngineEvent;
  readonly commands: readonly Command[];
  /** In the order in which they were judged. @defaultValue none */
  readonly intents?: readonly RecordedIntent[] | undefined;
  /** What the strategy keeps from here on. @defaultValue what it kept before */
  readonly state?: string | undefined;
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
