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

/** Options of a run whose data is already loaded. */
export interface RunOptions {
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
  /** Hash of the plugin and its imports; part of the run's identity. */
  readonly sourceHash: string;
  /** Findings of the scan of the plugin, which become warnings of the result. @defaultValue none: the plugin was not scanned */
  readonly findings?: readonly PluginFinding[] | undefined;
  /**
   * Keeps values of indicators for other runs of the same market, which then do not compute them again. A series that is not completely in memory is not
   * kept.
   *
   * @defaultValue none: each run computes its own
   */
  readonly precomputed?: PrecomputedStore | undefined;
  /**
   * Candle objects that all runs of the market share. A strategy that writes to one fails. A series that is not completely in memory is not shared.
   *
   * @defaultValue none: each run makes its own
   */
  readonly candles?: SharedCandles | undefined;
  /**
   * Memory for orders and fills. The record of the run can be read until the memory is given back.
   *
   * @defaultValue memory of the run's own
   */
  readonly memory?: BlockMemory | undefined;
  /** The run's part in a search over the paths of candles. @defaultValue none: the run is not part of a search */
  readonly branch?: BranchRun | undefined;
  /** For tests: another replay, which must give the same bytes. @defaultValue the replay loop */
  readonly createReplay?: ((options: ReplayOptions) => Replay) | undefined;
  /** Whether the record contains equity at every close, for the detailed curve: 16 bytes per close. @defaultValue false */
  readonly keepCloses?: boolean | undefined;
  /** Makes the strategy's log; it may ask for the engine's time. @defaultValue a log that keeps nothing */
  readonly createLog?: ((now: () => EpochMs) => StrategyLog) | undefined;
  /** Called once with the constructed strategy and its context. */
  readonly onConstructed?: EngineOptions['onConstructed'];
  /** Replaces an intent of the strategy by another one, or drops it. @defaultValue intents stay as they are */
  readonly reviseIntent?: EngineOptions['reviseIntent'];
  /** @defaultValue none: the record of the run contains its orders */
  readonly journal?: Journal | undefined;
  /** Called once, after the strategy is started and before the first event. */
  readonly onBegin?: ((begin: RunBegin) => void) | undefined;
  /** Stops the run between two instants. The run then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called every two thousand instants. */
  readonly onProgress?: ((progress: BacktestProgress) => void) | undefined;
  /** Lets the process do other work (signals, promises of a strategy) every two thousand instants; resolves when the run may go on. */
  readonly breathe?: (() => Promise<void>) | undefined;
}

/** The start of a run, in addition to its inputs. */
export interface RunBegin {
  /** The engine's clock while the strategy was constructed. */
  readonly constructed: EpochMs;
  /** When the engine subscribed to the strategy. */
  readonly started: EpochMs;
  /** Hash of the rules and terms in the archive; empty if it has none. */
  readonly terms: string;
  /** The state that the strategy keeps, at its beginning. @defaultValue none */
  readonly state?: EngineCheckpoint['state'];
}

export interface BacktestProgress {
  /** Delivered candles of all series, warm-up included. */
  readonly done: number;
  readonly total: number;
  readonly time: EpochMs;
}
