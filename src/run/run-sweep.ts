// eslint-disable-next-line no-restricted-imports -- lets the caller's process have its turn; nothing of a run depends on when
import { setImmediate as nextTurn } from 'node:timers/promises';
import { noticeMade } from '../archive/index.js';
import {
  A_FUNCTION,
  A_SIGNAL,
  A_TEXT,
  A_FILE,
  CHECKED_LATER,
  checkOptions,
  oneOf,
  wholeFrom,
  type OptionChecks,
} from '../config/index.js';
import {
  createSharedMemory,
  ENGINE_VERSION,
  locateRunError,
  prepareMarket,
  type LoadedMarket,
} from '../assembly/backtest/index.js';
import { describeFinding } from '../determinism/index.js';
import { ConfigError, DataError, present, UsageError } from '../domain/index.js';
import {
  buildSweep,
  chooseSearch,
  groundSweep,
  OBJECTIVES,
  openSnapshot,
  repeatTrials,
  runSearch,
  runTrial,
  takeSnapshot,
  TrialCrash,
  type Combination,
  type Search,
  type SearchProgress,
  type SearchRequest,
  type Sweep,
  type TrialGround,
  type TrialRun,
} from '../research/index.js';
import { STRATEGY } from '../strategy/index.js';
import { untilAborted } from './run-aborted.js';
import { prepareRun, type PreparedRun, type RunBacktestOptions } from './run-backtest.js';

export interface RunSweepOptions
  extends
    Pick<
      RunBacktestOptions,
      'config' | 'strategy' | 'strategyFile' | 'candles' | 'models' | 'directory' | 'signal'
    >,
    SearchRequest {
  /** Called before the first combination and after each one, with the number of combinations that have an outcome and their total. */
  readonly onProgress?: ((progress: SearchProgress) => void) | undefined;
}

const COUNT = wholeFrom(1);
const FIGURE = oneOf(OBJECTIVES);
const CHECKS: OptionChecks<RunSweepOptions> = {
  ...{ config: CHECKED_LATER, strategy: CHECKED_LATER, strategyFile: A_FILE },
  ...{ candles: CHECKED_LATER, models: CHECKED_LATER, directory: A_TEXT, signal: A_SIGNAL },
  ...{ grid: A_TEXT, fix: A_TEXT, random: COUNT, sobol: COUNT, seed: wholeFrom(0) },
  ...{ tpe: COUNT, cmaEs: COUNT, nsgaIi: COUNT, objective: FIGURE, against: FIGURE },
  constraint: {
    expected: 'a list of texts',
    accepts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  },
  ...{ minTrades: wholeFrom(0), stopAfter: COUNT, onProgress: A_FUNCTION },
};

/**
 * Runs a bot with many combinations of its parameters, one after the other in this process. It prints and writes nothing. It neither reads nor keeps a
 * ledger of trials, so later searches do not count these trials. The same inputs give the same document, which is that of `evenkeel sweep --json`.
 * Without `grid` every declared parameter is searched over its whole range.
 *
 * @throws as `runBacktest`; {ConfigError} `E_CONFIG_PARAMETER`, {UsageError} `E_USAGE` and `E_SWEEP_SIZE` for a grid that cannot be searched. A combination
 * that fails is an outcome.
 */
export async function runSweep(options: RunSweepOptions): Promise<Sweep> {
  checkOptions(options, CHECKS);
  return untilAborted(options.signal, async (signal) => {
    const bot = await prepareRun(options, signal);
    const search = readSearch(options, bot);
    const snapshot = await takeSnapshot(bot.config, bot.archive);
    const market = await prepareMarket(bot.config, openSnapshot(snapshot)).catch(
      (error: unknown) => {
        throw locateRunError(error, bot);
      },
    );
    try {
      const warnings = [
        ...noticeMade(snapshot.series.map(({ info }) => info)),
        ...bot.strategy.findings.map(describeFinding),
      ];
      return await playOn({ bot, market, search, options, signal, warnings });
    } finally {
      await market.close();
    }
  });
}

const FLAGS =
  /--(?=grid|fix|random|sobol|seed|tpe|cma-es|nsga-ii|objective|against|constraint|min-trades|stop-after)/g;

/** Errors of a search name flags of the command line. This changes them to the options with the same names. */
function readSearch(request: SearchRequest, { config, strategy }: PreparedRun): Search {
  const bare = (text: string): string =>
    text
      .replaceAll(FLAGS, '')
      .replaceAll(/(?<=cma|nsga|min|stop)-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { parameters } = strategy.strategyClass[STRATEGY];
  try {
    return chooseSearch(request, parameters, config.strategy.parameters);
  } catch (error: unknown) {
    if (error instanceof UsageError) throw new UsageError(error.code, bare(error.message));
    if (!(error instanceof ConfigError)) throw error;
    const { location, expected, ...rest } = error.problem;
    const named = { ...location, file: bare(location.file) };
    throw new ConfigError(error.code, { ...rest, location: named, expected: bare(expected) });
  }
}

interface Play {
  readonly bot: PreparedRun;
  readonly market: LoadedMarket;
  readonly search: Search;
  readonly options: RunSweepOptions;
  readonly signal: AbortSignal;
  readonly warnings: readonly string[];
}

async function playOn(play: Play): Promise<Sweep> {
  const { bot, market, search, options, signal, warnings } = play;
  const { config } = bot;
  const { strategyClass, sourceHash } = bot.strategy;
  const ground = groundSweep({
    config,
    market,
    strategy: strategyClass.name,
    sourceHash,
    engine: ENGINE_VERSION,
  });
  const alone: TrialGround = {
    config,
    market,
    strategyClass,
    sourceHash,
    breathe: async () => {
      await nextTurn();
      signal.throwIfAborted();
    },
  };
  const shared: TrialGround = { ...alone, ...createSharedMemory() };
  const run = await runSearch({
    ground,
    search,
    runner: {
      jobs: 1,
      run: ({ parameters }) => tryCombination(shared, parameters),
      close: () => Promise.resolve(),
    },
    ledger: { append: () => undefined, flush: () => Promise.resolve() },
    known: { get: () => undefined },
    now: () => 0,
    signal,
    onProgress: options.onProgress,
  });
  const differences = await repeatTrials(run.outcomes, async (index) => {
    const { parameters } = present(run.plan.combinations[index], 'combination');
    const { outcome } = await tryCombination(alone, parameters);
    return outcome;
  });
  return buildSweep({ ...run, ...search, warnings, differences });
}

/** Every error except a `DataError` counts as a crash of the combination, as in a worker thread. */
function tryCombination(
  ground: TrialGround,
  parameters: Combination['parameters'],
): Promise<TrialRun> {
  return runTrial(ground, parameters).catch((cause: unknown) => {
    if (cause instanceof DataError) throw cause;
    throw new TrialCrash(cause instanceof Error ? cause.message : String(cause), { cause });
  });
}
