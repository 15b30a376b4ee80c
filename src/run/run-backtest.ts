// eslint-disable-next-line no-restricted-imports -- lets the caller's process have its turn; nothing of a run depends on when
import { setImmediate as nextTurn } from 'node:timers/promises';
import path from 'node:path';
import type { Archive } from '../archive/index.js';
import {
  checkBot,
  checkStrategy,
  findBenchmark,
  findBounds,
  findMissingData,
  locateRunError,
  prepareMarket,
  replayToResult,
  requireSimulation,
  resolveFile,
  type BacktestConfig,
  type BacktestProgress,
  type RunOptions,
  type VenueModels,
} from '../assembly/backtest/index.js';
import { combineProblems, readConfig, type YamlDocument } from '../config/index.js';
import { withBounds, type CurveKind, type Result } from '../report/index.js';
import type { StrategyClass } from '../strategy/index.js';
import { untilAborted } from './run-aborted.js';
import { openCandles, type RunCandles } from './run-candles.js';
import type { RunDescription } from './run-description.js';
import { takeModels } from './run-models.js';
import { findStrategy, type RunStrategy } from './run-strategy.js';

export interface RunBacktestOptions {
  /** The bot, of the shape of its YAML file. Messages call it `config`. */
  readonly config: RunDescription;
  /** What trades. @defaultValue the plugin that `config.strategy.path` names */
  readonly strategy?: StrategyClass | undefined;
  /**
   * Path or `file:` URL of the file that `strategy` stands in. With it the run has the id and the warnings that it has on the command line.
   *
   * @defaultValue the id covers the text of the class alone, not what it imports
   */
  readonly strategyFile?: string | URL | undefined;
  /** What is replayed. @defaultValue the archive that `config.simulation.archive` names */
  readonly candles?: RunCandles | undefined;
  /** Fees and slippage in the place of those of the configuration, which then may not have them. @defaultValue those of the configuration */
  readonly models?: VenueModels | undefined;
  /** Folder that paths are relative to. @defaultValue the folder of the process */
  readonly directory?: string | undefined;
  /** Points of the equity curve: one a day, or one a candle. @defaultValue 'daily' */
  readonly curve?: CurveKind | undefined;
  /** Instrument of the run that holding is compared with, by symbol or id. @defaultValue the first */
  readonly benchmark?: string | undefined;
  /** Whether the range of each headline figure over all candle paths is found, too, which takes many runs. @defaultValue false */
  readonly bounds?: boolean | undefined;
  /** Ends the run early: it then rejects with `E_RUN_ABORTED`, within 100 ms where the process has nothing else to do. */
  readonly signal?: AbortSignal | undefined;
  /** Told every two thousand instants how many candles of all have been replayed, warm-up included, and the time of the market. */
  readonly onProgress?: ((progress: BacktestProgress) => void) | undefined;
}

/**
 * Backtests a bot in this process: nothing is printed or written. Same inputs, same result, which is the document of
 * `evenkeel backtest --json`.
 *
 * @throws {ConfigError} or AggregateError of them for a configuration that cannot be used, the texts of the command line with `config` in
 * place of file and line; {DataError} and {DataGapError} for candles; {StrategyError} for a strategy that fails; {RunAbortedError}
 * `E_RUN_ABORTED`.
 */
export function runBacktest(options: RunBacktestOptions): Promise<Result> {
  return playRun(options, {});
}

/** Who looks at a run while it goes on. */
export interface RunWatch {
  readonly onConstructed?: RunOptions['onConstructed'];
  /** Resolves when the run may go on. */
  readonly mayGoOn?: (() => Promise<void>) | undefined;
}

/** Does what {@link runBacktest} does. */
export async function playRun(
  options: RunBacktestOptions,
  { onConstructed, mayGoOn }: RunWatch,
): Promise<Result> {
  return untilAborted(options.signal, async (signal) => {
    const bot = await prepareRun(options, signal);
    const benchmark = findBenchmark(options.benchmark, bot.config, 'benchmark');
    const market = await prepareMarket(bot.config, bot.archive).catch((error: unknown) => {
      throw locateRunError(error, bot);
    });
    try {
      const run = { ...bot.strategy, config: bot.config, signal };
      const result = await replayToResult(market, {
        ...run,
        curve: options.curve,
        benchmark,
        onProgress: options.onProgress,
        onConstructed,
        breathe: async () => {
          await nextTurn();
          await mayGoOn?.();
        },
      });
      if (options.bounds !== true) return result;
      return withBounds(result, await findBounds(market, { ...run, breathe: () => nextTurn() }));
    } catch (error: unknown) {
      throw locateRunError(error, bot);
    } finally {
      await market.close();
    }
  });
}

// What stands in a configuration where a model is handed over.
const GIVEN_FEES = {
  ...{ block: 'simulation', key: 'fees', by: 'models.fees' },
  value: { maker: '0', taker: '0' },
} as const;
const GIVEN_SLIPPAGE = {
  ...{ block: 'simulation', key: 'slippage', by: 'models.slippage' },
  value: { model: 'fixed', bps: '0' },
} as const;

function withModels(config: BacktestConfig, models: VenueModels | undefined): BacktestConfig {
  return models === undefined
    ? config
    : { ...config, simulation: { ...config.simulation, models } };
}

/** What a run is made of, checked. */
export interface PreparedRun {
  readonly config: BacktestConfig;
  readonly document: YamlDocument;
  readonly strategy: RunStrategy;
  readonly archive: Archive;
}

/**
 * Reads and checks everything before the first candle is replayed.
 *
 * @throws as {@link runBacktest}.
 */
export async function prepareRun(
  options: Pick<
    RunBacktestOptions,
    'config' | 'strategy' | 'strategyFile' | 'candles' | 'models' | 'directory'
  >,
  signal: AbortSignal,
): Promise<PreparedRun> {
  const { strategy: strategyClass, strategyFile, candles } = options;
  const models = options.models && takeModels(options.models);
  const directory = path.resolve(options.directory ?? '.');
  if (strategyClass !== undefined) checkStrategy(strategyClass);
  const file = strategyFile === undefined ? undefined : resolveFile(strategyFile, directory);
  const loaded = readConfig(options.config, {
    name: 'config',
    directory,
    given: [
      ...(strategyClass === undefined
        ? []
        : [{ block: 'strategy', key: 'path', value: file ?? 'strategy', by: 'a class' }]),
      ...(candles === undefined
        ? []
        : [{ block: 'simulation', key: 'archive', value: 'candles', by: 'candles' }]),
      ...(models?.fees === undefined ? [] : [GIVEN_FEES]),
      ...(models?.slippage === undefined ? [] : [GIVEN_SLIPPAGE]),
    ],
  });
  const { document } = loaded;
  const config = withModels(requireSimulation(loaded), models);
  const archive = await openCandles(candles, { directory: config.simulation.archive, signal });
  const strategy = await findStrategy(
    strategyClass && { strategy: strategyClass, file },
    loaded,
    directory,
  );
  await checkBot({ config, document, strategyClass: strategy.strategyClass }, archive);
  const missing = await findMissingData({ config, document }, archive);
  if (missing.length > 0) throw combineProblems(missing);
  return { config, document, strategy, archive };
}
