import type { EpochMs } from '../domain/index.js';
import type { EngineCheckpoint } from '../engine/index.js';

export type RunMode = 'backtest' | 'paper' | 'live';

/** Of what a strategy's behavior depends on beside its events. Equal hashes: the epoch can be replayed. */
export interface EpochHashes {
  /** Of the plugin and what it imports. */
  readonly plugin: string;
  /** Of the parameters with their defaults. */
  readonly parameters: string;
  readonly config: string;
  /** Of the venue's rules and terms, where they are not part of the configuration. */
  readonly terms: string;
  /** Version of the engine. */
  readonly engine: string;
}

/** Where the bot's file is and what was changed on the command line: what a replay reads again. Never holds a secret. */
export interface EpochSource {
  /** Absolute path. */
  readonly configFile: string;
  readonly set: readonly string[];
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What an epoch was run with. */
export interface EpochHeader {
  readonly bot: string;
  readonly mode: RunMode;
  readonly hashes: EpochHashes;
  readonly seed: number;
  /** The engine's clock while the strategy was constructed. */
  readonly constructed: EpochMs;
  /** When the strategy was subscribed to. */
  readonly started: EpochMs;
  readonly source: EpochSource;
  /**
   * What the engine began with. The first epoch of a bot has nothing but what the account starts with; one that follows another carries
   * over what reconciliation has settled.
   */
  readonly checkpoint: EngineCheckpoint;
}

/** An epoch as it is found in a journal. */
export interface Epoch {
  /** From 1. */
  readonly id: number;
  readonly firstEvent: number;
  readonly header: EpochHeader;
  /** Why it was closed; undefined while it is open, and after a crash. */
  readonly closed: string | undefined;
  /** What the engine owned when it was closed, for the epoch that follows; undefined where nobody kept it. */
  readonly ending: EngineCheckpoint | undefined;
}
