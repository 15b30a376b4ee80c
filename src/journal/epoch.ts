import type { EpochMs } from '../domain/index.js';
import type { EngineCheckpoint } from '../engine/index.js';

export type RunMode = 'backtest' | 'paper' | 'live';

/** Hashes of everything that decides a strategy's behavior except its events. An epoch can be replayed if they are equal. */
interface EpochHashes {
  /** Hash of the plugin and its imports. */
  readonly plugin: string;
  /** Hash of the parameters with their defaults. */
  readonly parameters: string;
  readonly config: string;
  /** Hash of the venue's rules and terms that are not part of the configuration. */
  readonly terms: string;
  /** Version of the engine. */
  readonly engine: string;
}

/** Path of the bot's file and the changes of the command line, for a replay. Never holds a secret. */
export interface EpochSource {
  /** Absolute path. */
  readonly configFile: string;
  readonly set: readonly string[];
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The inputs of an epoch. */
export interface EpochHeader {
  readonly bot: string;
  readonly mode: RunMode;
  readonly hashes: EpochHashes;
  readonly seed: number;
  /** The engine's clock while the strategy was constructed. */
  readonly constructed: EpochMs;
  /** When the engine subscribed to the strategy. */
  readonly started: EpochMs;
  readonly source: EpochSource;
  /**
   * The engine's state at the begin. The first epoch of a bot has only the start balances of the account. A later epoch also has what
   * reconciliation has settled.
   */
  readonly checkpoint: EngineCheckpoint;
}

/** An epoch as the reader found it in a journal. */
export interface Epoch {
  /** From 1. */
  readonly id: number;
  readonly firstEvent: number;
  readonly header: EpochHeader;
  /** Reason of the close; undefined while the epoch is open, and after a crash. */
  readonly closed: string | undefined;
  /** The engine's state at the close, for the next epoch; undefined if none was stored. */
  readonly ending: EngineCheckpoint | undefined;
}
