import type { ClientOrderId, EpochMs, InstrumentId, TargetIntent } from '../../domain/index.js';
import type { Command, EngineEvent } from '../../engine/index.js';
import type { WorkedIntent } from '../../report/index.js';
import type { Verdict } from '../../strategy/index.js';
import type { VenueUpdate } from '../../venue/index.js';

/** A line that the strategy logged. */
export interface LoggedLine {
  readonly level: 'debug' | 'info' | 'warn';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** An event with the log lines, decisions and commands of its processing. */
export interface Moment {
  readonly eventId: number;
  readonly event: EngineEvent;
  readonly log: readonly LoggedLine[];
  readonly decisions: readonly Decision[];
  /** Targets that the strategy set. Those whose positions need no trade have no decision. */
  readonly targets: readonly SetTargets[];
  readonly commands: readonly Command[];
  /** Whether it comes after the end of a backtest, when `closeAtEnd` closes positions. */
  readonly isClosing: boolean;
}

/** An intent and the verdict of risk on it. */
export interface Decision {
  readonly verdict: Verdict;
  readonly instrumentId: InstrumentId;
}

/** An intent of `this.target` or `this.rebalance`. Its trades are decisions with the same id. */
export interface SetTargets {
  readonly intentId: number;
  readonly intent: TargetIntent;
}

/** A command that an intent led to, at once or later, with its time. */
export interface SentCommand {
  readonly time: EpochMs;
  readonly command: Command;
}

/** An update of the venue about one order. */
export interface VenueAnswer {
  readonly time: EpochMs;
  readonly update: VenueUpdate;
}

/** Everything that explains a run at one instant. */
export interface Explanation {
  readonly asked: EpochMs;
  /** Events of the instant that the user asked about. */
  readonly asOf: readonly Moment[];
  /** The strategy's state after that, as JSON; undefined if it keeps none. */
  readonly state: string | undefined;
  /** Events of the latest instant with a decision, up to the requested instant. */
  readonly decided: readonly Moment[];
  /** Commands that the decisions led to, from their instant to the end of the journal. */
  readonly sent: readonly SentCommand[];
  readonly answers: ReadonlyMap<ClientOrderId, readonly VenueAnswer[]>;
  /** Results of intents that were worked, up to the end of the epoch of the decisions. */
  readonly worked: readonly WorkedIntent[];
  /** Time of the next decision; undefined if there was none. */
  readonly next: EpochMs | undefined;
}
