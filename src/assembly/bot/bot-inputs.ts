import type { BotLog, BotStatus, GuardStandby } from '../../live/index.js';
import type { Clock, TradingError } from '../../domain/index.js';
import type { MarketDataSource } from '../../venue/index.js';
import type { EpochSource } from '../../journal/index.js';
import type { EngineOptions } from '../../engine/index.js';
import type { StrategyClass } from '../../strategy/index.js';
import type { SessionConfig } from '../../config/index.js';
import type { OnBoundary } from './boundaries.js';
import type { LiveConnection, MachineTime } from './live-connection.js';

/** What a bot on paper or live is made from. */
export interface BotInputs {
  readonly config: SessionConfig;
  readonly strategyClass: StrategyClass;
  /** Hash of the plugin and what it imports. */
  readonly sourceHash: string;
  readonly mode: BotStatus['mode'];
  /** Absolute path of what it records itself in. */
  readonly journal: string;
  /** What its epochs say of where it came from. */
  readonly source: EpochSource;
  readonly connection: LiveConnection;
  readonly machine: MachineTime;
  readonly log: BotLog;
  /** How long, in ms, the process has certainly been gone that sent what is in the journal. @defaultValue nobody saw its end */
  readonly goneForMs?: (() => number) | undefined;
  /** Hash of the configuration of the bot whose positions it guards in its place; undefined for a bot. */
  readonly guardOf?: string | undefined;
  /** What looks after positions beside it, for its status. @defaultValue nothing */
  readonly guarded?: (() => GuardStandby) | undefined;
  /** Ends the making of the bot; once it is made it is stopped by its control. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the process breathe while a journal is read, and a strategy warmed up. @defaultValue nothing else goes on */
  readonly breathe?: (() => Promise<void>) | undefined;
  /** Told of each failure of the venue after which the making goes on. */
  readonly onWaiting?: ((error: TradingError) => void) | undefined;
  /** Called with the strategy once it is constructed: before its first event, and before a journal is replayed. */
  readonly onConstructed?: EngineOptions['onConstructed'];
  /** Told of every boundary that is come to; for the crash test. */
  readonly onBoundary?: OnBoundary | undefined;
}

/** What of a bot its engine is made from. */
export type EngineInputs = Omit<BotInputs, 'connection' | 'machine'> & {
  readonly connection: {
    readonly time: Clock;
    readonly venue: { readonly market: MarketDataSource };
  };
};
