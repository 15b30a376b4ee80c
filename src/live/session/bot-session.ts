import type { EpochMs, InstrumentId, MarginReading } from '../../domain/index.js';
import type { EngineEvent } from '../../engine/index.js';
import type { EngineSessionOptions } from './engine-session.js';
import type { StopSampling } from '../stops/session-samples.js';

/** Callbacks of a session to its bot. */
export interface SessionHooks extends Pick<
  EngineSessionOptions,
  'onProcessed' | 'onCondition' | 'onNotice' | 'onFailure'
> {
  readonly onStream: NonNullable<EngineSessionOptions['onStream']>;
}

/** Everything that a bot runs on: its engine, a market to read, and a real or simulated venue that takes commands. */
export interface BotSession {
  /** Makes the working orders of a replayed engine known, before the warm-up and before anything is read. */
  restore(): void;
  /** Feeds the warm-up to an engine that was not replayed; events pushed later come after it. Resolves when the warm-up is over. */
  warmUp(): Promise<void>;
  /** Reports the instruments that are known to be gone, before anything is read. @defaultValue none are */
  announce?(): void;
  /** Finds out what became of the orders of {@link BotSession.restore}. May be called again after a failure. */
  resolve(): Promise<void>;
  /** Reads market and venue from now on. */
  run(): void;
  /** Compares the bot's books with the venue. Each text is an unresolved disagreement. */
  reconcile(): Promise<readonly string[]>;
  /** Compares only positions and balances, with few calls, while the bot runs. Returns the same as {@link BotSession.reconcile}. */
  compareAgain(): Promise<readonly string[]>;
  /** Takes a command of the operator, or news of the bot's health. */
  tell(make: (time: EpochMs) => EngineEvent): void;
  /** Margins of positions in the venue's latest reading. @defaultValue nothing */
  readonly margins?: readonly MarginReading[] | undefined;
  /** How instruments with stops are sampled now. @defaultValue unknown */
  readonly sampling?: readonly StopSampling[] | undefined;
  /** From now on no order that opens is sent, even if the engine asks for it. */
  closeEntries(): void;
  /** Whether commands wait or are on their way. */
  readonly isSending: boolean;
  /** Whether commands are at the venue without an answer, or wait for a call. */
  readonly isUnsettled: boolean;
  /** Cancels that the venue has not answered yet, by instrument. */
  readonly unansweredCancels: ReadonlyMap<InstrumentId, number>;
  /** Ends polling, waits for calls on their way, and then takes no more events. */
  stop(): Promise<void>;
}

/** Makes a session. It reads and reports nothing until it is asked to. */
export type OpenSession = (hooks: SessionHooks) => BotSession;
