import type { ClientOrderId, EpochMs, InstrumentId } from '../../domain/index.js';
import type { Command, EngineEvent } from '../../engine/index.js';
import type { WorkedIntent } from '../../report/index.js';
import type { Verdict } from '../../strategy/index.js';
import type { VenueUpdate } from '../../venue/index.js';

/** A line the strategy logged. */
export interface LoggedLine {
  readonly level: 'debug' | 'info' | 'warn';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** An event with what was logged, decided and commanded while it was processed. */
export interface Moment {
  readonly eventId: number;
  readonly event: EngineEvent;
  readonly log: readonly LoggedLine[];
  readonly decisions: readonly Decision[];
  readonly commands: readonly Command[];
  /** Whether it comes after the end of a backtest, which closes positions by `closeAtEnd`. */
  readonly isClosing: boolean;
}

/** An intent and what risk said to it. */
export interface Decision {
  readonly verdict: Verdict;
  readonly instrumentId: InstrumentId;
}

/** A command that an intent led to, at once or later, with when. */
export interface SentCommand {
  readonly time: EpochMs;
  readonly command: Command;
}

/** What the venue did with one order. */
export interface VenueAnswer {
  readonly time: EpochMs;
  readonly update: VenueUpdate;
}

/** Why a run did what it did at one instant. */
export interface Explanation {
  readonly asked: EpochMs;
  /** Events of the instant that was asked about. */
  readonly asOf: readonly Moment[];
  /** What the strategy kept after that, as JSON; undefined where it keeps nothing. */
  readonly state: string | undefined;
  /** Events of the latest instant, up to the one asked about, at which something was decided. */
  readonly decided: readonly Moment[];
  /** What the decisions led to, from their instant to the end of the journal. */
  readonly sent: readonly SentCommand[];
  readonly answers: ReadonlyMap<ClientOrderId, readonly VenueAnswer[]>;
  /** What became of intents that were worked, to the end of the epoch in which they were decided. */
  readonly worked: readonly WorkedIntent[];
  /** When something was decided next; undefined when nothing was. */
  readonly next: EpochMs | undefined;
}
