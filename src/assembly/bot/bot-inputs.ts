import type { SessionConfig } from '../../config/index.js';
import type { Clock, TradingError } from '../../domain/index.js';
import type { EngineOptions } from '../../engine/index.js';
import type { EpochSource } from '../../journal/index.js';
import type { BotLog, BotStatus, GuardStandby } from '../../live/index.js';
import type { StrategyClass } from '../../strategy/index.js';
import type { MarketDataSource } from '../../venue/index.js';
import type { OnBoundary } from './boundaries.js';
import type { LiveConnection, MachineTime } from './connection/live-connection.js';

/** The inputs of a bot on paper or live. */
export interface BotInputs {
  readonly config: SessionConfig;
  readonly strategyClass: StrategyClass;
  /** Hash of the plugin and its imports. */
  readonly sourceHash: string;
  readonly mode: BotStatus['mode'];
  /** Absolute path of the journal. */
  readonly journal: string;
  /** The origin of the bot, which its epochs record. */
  readonly source: EpochSource;
  readonly connection: LiveConnection;
  readonly machine: MachineTime;
  readonly log: BotLog;
  /** Least time in ms since the end of the process that sent what is in the journal. @defaultValue unknown: nothing observed its end */
  readonly goneForMs?: (() => number) | undefined;
  /** For a guard: hash of the configuration of the bot that it guards; undefined for a bot. */
  readonly guardOf?: string | undefined;
  /** State of the guard process, for the bot's status. @defaultValue no guard */
  readonly guarded?: (() => GuardStandby) | undefined;
  /** Ends the preparation of the bot. After that, its control stops it. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the process do other work while a journal is read or a strategy warms up. @defaultValue no other work */
  readonly breathe?: (() => Promise<void>) | undefined;
  /** Called with each failure of the venue after which the preparation continues. */
  readonly onWaiting?: ((error: TradingError) => void) | undefined;
  /** Called with the strategy after its construction: before its first event, and before a journal is replayed. */
  readonly onConstructed?: EngineOptions['onConstructed'];
  /** Called at every boundary; for the crash test. */
  readonly onBoundary?: OnBoundary | undefined;
}

/** The inputs of a bot that its engine needs. */
export type EngineInputs = Omit<BotInputs, 'connection' | 'machine'> & {
  readonly connection: {
    readonly time: Clock;
    readonly venue: { readonly market: MarketDataSource };
  };
};
