import type { EpochMs, InstrumentId, MarginReading } from '../domain/index.js';
import type { EngineEvent } from '../engine/index.js';
import type { EngineSessionOptions } from './engine-session.js';
import type { StopSampling } from './sampling/session-samples.js';

/** What a bot is told by what it runs on. */
export interface SessionHooks extends Pick<
  EngineSessionOptions,
  'onProcessed' | 'onCondition' | 'onNotice' | 'onFailure'
> {
  readonly onStream: NonNullable<EngineSessionOptions['onStream']>;
}

/** What a bot runs on: its engine, a market that is read, and a venue that takes commands, real or simulated. */
export interface BotSession {
  /** Makes known what an engine that goes on has at work: before the warm-up, and before anything is read. */
  restore(): void;
  /** Feeds the warm-up, for an engine that was not replayed; what is told afterwards comes after it. Resolves when it is over. */
  warmUp(): Promise<void>;
  /** Says what is known to be gone, before anything is read. @defaultValue nothing is */
  announce?(): void;
  /** Finds out what became of that; may be tried again where it fails. */
  resolve(): Promise<void>;
  /** Reads market and venue from now on. */
  run(): void;
  /** Compares what the bot believes with what the venue has; each text is a disagreement that nothing has resolved. */
  reconcile(): Promise<readonly string[]>;
  /** Compares what is held, as far as that costs little: for a bot that runs. As {@link BotSession.reconcile}. */
  compareAgain(): Promise<readonly string[]>;
  /** Something the operator wants, or a bot knows of its health. */
  tell(make: (time: EpochMs) => EngineEvent): void;
  /** What the venue said last of the margins of positions. @defaultValue nothing */
  readonly margins?: readonly MarginReading[] | undefined;
  /** How instruments with stops are sampled now. @defaultValue nothing is known of it */
  readonly sampling?: readonly StopSampling[] | undefined;
  /** From now on no order that opens leaves, whatever the engine wants. */
  closeEntries(): void;
  /** Whether commands wait or are on their way. */
  readonly isSending: boolean;
  /** Cancels that the venue has not answered yet, by instrument. */
  readonly unansweredCancels: ReadonlyMap<InstrumentId, number>;
  /** Ends polling, lets what is on its way settle, and takes nothing any more. */
  stop(): Promise<void>;
}

/** Makes what a bot runs on. Nothing is read or told before it is asked for. */
export type OpenSession = (hooks: SessionHooks) => BotSession;
