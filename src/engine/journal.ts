import type { EpochMs, OrderIntent } from '../domain/index.js';
import type { Command, EngineEvent } from './events.js';

/** An intent of a strategy that was judged or dropped with an event. */
export interface RecordedIntent {
  readonly intentId: number;
  /** When it was judged: at the event, or at a timer before it. */
  readonly time: EpochMs;
  /** Undefined if it was dropped because the strategy may not trade: only its id is used up. */
  readonly intent: OrderIntent | undefined;
}

/** Records each event of an engine with its commands, the intents of the strategy and its changed state, as one entry. */
export interface Journal {
  append(
    event: EngineEvent,
    commands: readonly Command[],
    intents: readonly RecordedIntent[],
    /** The kept state of the strategy as JSON, if the event has changed it. */
    state?: string,
  ): void;
}

export interface JournalEntry {
  readonly event: EngineEvent;
  readonly commands: readonly Command[];
  /** In the order in which they were judged. @defaultValue none */
  readonly intents?: readonly RecordedIntent[] | undefined;
  /** The kept state of the strategy from here on. @defaultValue the state before */
  readonly state?: string | undefined;
}

/**
 * Keeps nothing. A backtest's events are its stored candles, and its orders are in its record. Keeping both again costs a third of the
 * speed, and is of use only for comparing runs.
 */
export const NO_JOURNAL: Journal = { append: () => undefined };
