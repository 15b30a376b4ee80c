// eslint-disable-next-line no-restricted-imports -- lets the caller's process have its turn; nothing of a run depends on when
import { setImmediate as nextTurn } from 'node:timers/promises';
import path from 'node:path';
import type { Archive } from '../archive/index.js';
import {
  checkBot,
  checkStrategy,
  FEWEST_RUNS,
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
import {
  combineProblems,
  readConfig,
  type YamlDocument,
  A_FUNCTION,
  A_SIGNAL,
  A_TEXT,
  A_FILE,
  CHECKED_LATER,
  checkOptions,
  oneOf,
  wholeFrom,
  type OptionCheck,
  type OptionChecks,
} from '../config/index.js';
import { withBounds, type CurveKind, type Result } from '../report/index.js';
import type { StrategyClass } from '../strategy/index.js';
import { untilAborted } from './run-aborted.js';
import { openCandles, type RunCandles } from './run-candles.js';
import type { RunDescription } from './run-description.js';
import { takeModels } from './run-models.js';
import { findStrategy, type RunStrategy } from './run-strategy.js';

export interface RunBacktestOptions {
  /** The bot, in the shape of its YAML file. Messages call it `config`. */
  readonly config: RunDescription;
  /** The strategy class. @defaultValue the plugin that `config.strategy.path` names */
  readonly strategy?: StrategyClass | undefined;
  /**
   * Path or `file:` URL of the file that contains `strategy`. With it the run has the same id and warnings as on the command line.
   *
   * @defaultValue the id covers the text of the class alone, not its imports
   */
  readonly strategyFile?: string | URL | undefined;
  /** The candles to replay. @defaultValue the archive that `config.simulation.archive` names */
  readonly candles?: RunCandles | undefined;
  /** Fees and slippage that replace those of the configuration. The configuration may then not set them. @defaultValue those of the configuration */
  readonly models?: VenueModels | undefined;
  /** Folder that relative paths start from. @defaultValue the folder of the process */
  readonly directory?: string | undefined;
  /** Points of the equity curve: one a day, or one a candle. @defaultValue 'daily' */
  readonly curve?: CurveKind | undefined;
  /** Instrument of the run for the comparison with buy and hold, by symbol or id. @defaultValue the first */
  readonly benchmark?: string | undefined;
  /**
   * Whether to find the range of each headline figure over all candle paths, too. This takes many runs: at most `runs`, which is 4 or more, or 4096 with `true`.
   *
   * @defaultValue false
   */
  readonly bounds?: boolean | { readonly runs: number } | undefined;
  /** Ends the run early. The run then rejects with `E_RUN_ABORTED`, within 100 ms if the process has nothing else to do. */
  readonly signal?: AbortSignal | undefined;
  /** Called every two thousand instants with the number of replayed candles (warm-up included), their total and the market time. */
  readonly onProgress?: ((progress: BacktestProgress) => void) | undefined;
}

const SWITCH_OR_RUNS: OptionCheck = {
  expected: 'true, false or { runs }',
  accepts: (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null),
};

const BACKTEST_CHECKS: OptionChecks<RunBacktestOptions> = {
  ...{ config: CHECKED_LATER, strategy: CHECKED_LATER, strategyFile: A_FILE },
  ...{ candles: CHECKED_LATER, models: CHECKED_LATER, directory: A_TEXT },
  ...{ curve: oneOf(['daily', 'candle']), benchmark: A_TEXT, bounds: SWITCH_OR_RUNS },
  ...{ signal: A_SIGNAL, onProgress: A_FUNCTION },
};

/** @throws {UsageError} `E_USAGE` for an unknown or wrong option. */
export function checkBacktestOptions(options: RunBacktestOptions): void {
  checkOptions(options, BACKTEST_CHECKS);
  if (typeof options.bounds === 'object')
    checkOptions(
      options.bounds,
      { runs: { ...wholeFrom(FEWEST_RUNS), isRequired: true } },
      'bounds',
    );
}

/**
 * Backtests a bot in this process. It prints and writes nothing. The same inputs give the same result, which is the document of `evenkeel backtest --json`.
 *
 * @throws {ConfigError} or AggregateError of them for a configuration that cannot be used. The texts are those of the command line, with `config` in place
 * of file and line; {UsageError} `E_USAGE` for an unknown or wrong option; {DataError} and {DataGapError} for candles; {StrategyError} for a strategy that
 * fails; {RunAbortedError} `E_RUN_ABORTED`.
 */
export function runBacktest(options: RunBacktestOptions): Promise<Result> {
  return playRun(options, {});
}

/** Hooks for an observer of a running backtest. */
interface RunWatch {
  readonly onConstructed?: RunOptions['onConstructed'];
  /** Resolves when the run may go on. */
  readonly mayGoOn?: (() => Promise<void>) | undefined;
}

/** Runs a backtest as {@link runBacktest}, with hooks for an observer. */
export async function playRun(
  options: RunBacktestOptions,
  { onConstructed, mayGoOn }: RunWatch,
): Promise<Result> {
  checkBacktestOptions(options);
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
      const { bounds = false } = options;
      if (bounds === false) return result;
      const budget = bounds === true ? undefined : bounds.runs;
      const search = { ...run, budget, breathe: () => nextTurn() };
      return withBounds(result, await findBounds(market, search));
    } catch (error: unknown) {
      throw locateRunError(error, bot);
    } finally {
      await market.close();
    }
  });
}

// Values that stand in for the keys of a configuration if the caller gives a model.
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

/** The checked parts of a run. */
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
  const models = options.models === undefined ? undefined : takeModels(options.models);
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
