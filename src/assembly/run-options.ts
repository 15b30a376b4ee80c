import type { Archive } from '../archive/index.js';
import type { EpochMs } from '../domain/index.js';
import type { BlockMemory, EngineCheckpoint, EngineOptions, Journal } from '../engine/index.js';
import type { PrecomputedStore, StrategyClass, StrategyLog } from '../strategy/index.js';
import type { BacktestConfig } from '../config/index.js';
import type { BranchRun } from './bounds/branch-run.js';
import type { PluginFinding } from '../determinism/index.js';
import type { Replay, ReplayOptions } from './replay/replay.js';
import type { SharedCandles } from './market/shared-candles.js';

export interface BacktestOptions extends RunOptions {
  readonly archive: Archive;
}

/** A run whose data is there already. */
export interface RunOptions {
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
  /** Hash of the plugin and what it imports; part of the run's identity. */
  readonly sourceHash: string;
  /** What looking at the plugin has found: warnings of the result. @defaultValue nothing was looked at */
  readonly findings?: readonly PluginFinding[] | undefined;
  /**
   * Where values of indicators are kept for other runs of the same market, which then do not compute them again. Series that are not in
   * memory as a whole have none there.
   *
   * @defaultValue none: each run computes its own
   */
  readonly precomputed?: PrecomputedStore | undefined;
  /**
   * Candles for all runs of the market that are given the same: a strategy that writes to one fails. Series that are not in memory as a whole
   * have none there.
   *
   * @defaultValue none: each run makes its own
   */
  readonly candles?: SharedCandles | undefined;
  /**
   * Where orders and fills lie: the record of the run can be read until it is given back.
   *
   * @defaultValue memory of the run's own
   */
  readonly memory?: BlockMemory | undefined;
  /** What the run is in a search over the paths of candles. @defaultValue no part of one */
  readonly branch?: BranchRun | undefined;
  /** For tests: another replay, which has to give the same bytes. @defaultValue the replay loop */
  readonly createReplay?: ((options: ReplayOptions) => Replay) | undefined;
  /** Whether the record has equity at every close, for the detailed curve: 16 bytes each. @defaultValue false */
  readonly keepCloses?: boolean | undefined;
  /** Makes the strategy's log; it may ask for the engine's time. @defaultValue a log that keeps nothing */
  readonly createLog?: ((now: () => EpochMs) => StrategyLog) | undefined;
  /** Called once with the strategy that was constructed, and what it was given. */
  readonly onConstructed?: EngineOptions['onConstructed'];
  /** Puts other intents in the place of the strategy's, or nothing. @defaultValue what it raises is wanted */
  readonly reviseIntent?: EngineOptions['reviseIntent'];
  /** @defaultValue none: the record of the run has its orders */
  readonly journal?: Journal | undefined;
  /** Called once, when the strategy runs and before the first event. */
  readonly onBegin?: ((begin: RunBegin) => void) | undefined;
  /** Stops the run between two instants: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called every two thousand instants. */
  readonly onProgress?: ((progress: BacktestProgress) => void) | undefined;
  /** Lets the process breathe (signals, promises of a strategy) every two thousand instants; resolves when the run may go on. */
  readonly breathe?: (() => Promise<void>) | undefined;
}

/** What a run begins with beside its inputs. */
export interface RunBegin {
  /** The engine's clock while the strategy was constructed. */
  readonly constructed: EpochMs;
  /** When the strategy was subscribed to. */
  readonly started: EpochMs;
  /** Hash of the rules and terms that the archive holds; empty when it holds none. */
  readonly terms: string;
  /** What the strategy has kept, before it was constructed. @defaultValue nothing */
  readonly state?: EngineCheckpoint['state'];
}

export interface BacktestProgress {
  /** Candles delivered, warm-up included, of all series. */
  readonly done: number;
  readonly total: number;
  readonly time: EpochMs;
}
