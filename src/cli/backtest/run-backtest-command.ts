import { setImmediate as nextTurn } from 'node:timers/promises';
import { openRunArchive, type Archive } from '../../archive/index.js';
import {
  findBenchmark,
  findBounds,
  findMissingData,
  locateRunError,
  MOST_RUNS,
  prepareMarket,
  replayToFigures,
  replayToResult,
  type BacktestProgress,
  type LoadedMarket,
  type RunOptions,
} from '../../assembly/backtest/index.js';
import { combineProblems } from '../../config/index.js';
import { formatUtc, type EpochMs, type InstrumentId } from '../../domain/index.js';
import {
  renderEquityChart,
  renderSummary,
  resultPieces,
  withBounds,
  type BoundsFound,
  type Result,
  type ResultFigures,
  type RunRecord,
} from '../../report/index.js';
import type { PageReason, RunPage } from '../../page/index.js';
import type { BotFlags } from '../bot/bot-options.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import { usesColor, type CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { chartSeries } from '../report/chart-series.js';
import { writeReport } from '../report/write-report.js';
import { checkTradesFile, writeTrades } from '../trades/write-trades.js';
import { createTrialKeeper, type TrialKeeper } from './keep-trial.js';
import { createTextLog } from './write-log.js';
import { keepJournal, refuseOldJournal } from './keep-journal.js';

/** Options of `backtest` as commander parses them. */
export interface BacktestFlags extends BotFlags {
  readonly bounds?: true;
  readonly journal?: string;
  readonly log?: true;
  readonly curve: 'daily' | 'candle';
  readonly trades?: string;
  readonly report?: string;
  readonly benchmark?: string;
  readonly watch?: true;
  /** Where the run is kept as a trial; false for nowhere. */
  readonly ledger?: string | false;
}

/** What came of a run, and what the ledger of trials says of it. */
export interface PlayedBacktest {
  readonly figures: Result | ResultFigures;
  /** One line; undefined where it is kept in none. */
  readonly ledger: string | undefined;
}

/** What is done for each of so many is worth compiling. */
const MANY_FILLS = 10_000;
const CHART_HEIGHT = 8;
const DEFAULT_WIDTH = 80;

/** Runs `backtest`. */
export async function runBacktestCommand(
  file: string,
  flags: BacktestFlags,
  context: CliContext,
): Promise<void> {
  const played = await playBacktest(file, flags, context, ({ fills }) => {
    if (flags.bounds !== true && fills.length < MANY_FILLS) context.compileSeldom?.();
  });
  if (flags.json !== '-') sayResult(played, flags, context);
}

/**
 * Plays a backtest and writes the files that are wanted of it: everything is checked before the first candle, and nothing is written before the
 * last. `onReplayed`: called with what the result is made of, before it is made.
 */
export async function playBacktest(
  file: string,
  flags: BacktestFlags,
  context: CliContext,
  onReplayed: (record: RunRecord) => void = () => undefined,
): Promise<PlayedBacktest> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  if (flags.trades !== undefined) {
    checkTradesFile(flags.trades);
    await checkOutput(flags.trades, context);
  }
  if (flags.report !== undefined) await checkOutput(flags.report, context);
  if (flags.journal !== undefined) await refuseOldJournal(flags.journal, context);
  if (typeof flags.ledger === 'string') await checkOutput(flags.ledger, context);
  const bot = await loadBot(file, context, flags);
  const benchmark = findBenchmark(flags.benchmark, bot.config, '--benchmark');
  const archive = openRunArchive(bot.config.simulation.archive);
  const missing = await findMissingData(bot, archive);
  if (missing.length > 0) throw combineProblems(missing);
  const trial = await createTrialKeeper({ bot, ledger: flags.ledger, context });
  const run = { file, bot, archive, context, flags, benchmark, trial, onReplayed };
  const { result, page, ...played } = await replay(run);
  if (result !== undefined) {
    if (flags.json !== undefined) await writeOutput(flags.json, resultPieces(result), context);
    if (flags.trades !== undefined) await writeTrades(flags.trades, result, context);
  }
  if (flags.report !== undefined && page !== undefined)
    await writeReport(flags.report, page, context);
  return played;
}

/** Prints the summary. */
export function sayResult(
  { figures, ledger }: PlayedBacktest,
  { report }: BacktestFlags,
  context: CliContext,
): void {
  context.stdout.write(describeFigures(figures, context));
  if (report !== undefined) context.stdout.write(`\nReport    ${report}\n`);
  if (ledger !== undefined) context.stdout.write(`\nLedger    ${ledger}\n`);
}

interface Replay {
  readonly file: string;
  readonly bot: LoadedBot;
  readonly archive: Archive;
  readonly context: CliContext;
  readonly flags: BacktestFlags;
  readonly benchmark: InstrumentId | undefined;
  readonly trial: TrialKeeper | undefined;
  readonly onReplayed: (record: RunRecord) => void;
}

interface Played extends PlayedBacktest {
  /** Where more is wanted than the summary says. */
  readonly result: Result | undefined;
  /** Where one is wanted. */
  readonly page: RunPage | undefined;
}

/** The market is open until the page has its candles. */
async function replay(run: Replay): Promise<Played> {
  const { bot, archive, context, flags } = run;
  const progress = new ProgressLine(context.stderr);
  const market = await prepareMarket(bot.config, archive).catch((error: unknown) => {
    throw locateRunError(error, bot);
  });
  try {
    const own = await replayOwnPath(run, market, progress);
    const figures = flags.bounds === true ? withBounds(own, await searchPaths(run, progress)) : own;
    const result = 'counts' in figures ? undefined : figures;
    const ledger = await run.trial?.keep(market);
    if (flags.report === undefined || result === undefined)
      return { figures, result, ledger, page: undefined };
    const { buildRunPage } = await import('../../page/index.js');
    const reasons = await findReasons(run);
    const page = buildRunPage(result, { series: chartSeries(market), reasons });
    return { figures, result, ledger, page };
  } catch (error: unknown) {
    throw locateRunError(error, bot);
  } finally {
    progress.clear();
    await market.close();
  }
}

/** Why each order was made, from the journal that the run has just written. */
async function findReasons({
  file,
  flags: { journal, set },
  context,
}: Replay): Promise<readonly PageReason[]> {
  if (journal === undefined) return [];
  const { explainIntents } = await import('../report/explain-intents.js');
  return explainIntents(journal, { config: file, set }, context);
}

/** The journal is of the configured path: the other paths of a range are runs of their own. */
async function replayOwnPath(
  run: Replay,
  market: LoadedMarket,
  progress: ProgressLine,
): Promise<Result | ResultFigures> {
  const { bot, context, flags } = run;
  const { journal } = flags;
  const compileEarly = context.compileEarly?.();
  const print = (line: string): void => {
    progress.clear();
    context.stderr.write(line);
  };
  const kept = journal === undefined ? undefined : await keepJournal({ ...run, journal });
  const options = {
    ...describeRun(run),
    findings: bot.scan.findings,
    curve: flags.curve,
    benchmark: run.benchmark,
    isListed: isListed(flags),
    journal: kept?.journal,
    createLog: flags.log === true ? (now: () => EpochMs) => createTextLog(now, print) : undefined,
    onBegin: kept?.begin,
    onRecord: (record: RunRecord) => {
      run.trial?.take(record);
      run.onReplayed(record);
    },
    onProgress: ({ done, total, time }: BacktestProgress) => {
      compileEarly?.({ total });
      const percent = Math.floor((100 * done) / Math.max(1, total));
      progress.show(`${bot.config.simulation.path} ${String(percent)} % ${formatUtc(time)}`);
    },
  };
  const replayed = isListed(flags)
    ? replayToResult(market, options)
    : replayToFigures(market, options);
  const figures = await replayed.catch((error: unknown) => {
    kept?.end(error);
    throw error;
  });
  kept?.end();
  return figures;
}

/** Whether anything but the summary is wanted, which counts orders, fills and trades and lists none. */
function isListed({ json, trades, report }: BacktestFlags): boolean {
  return json !== undefined || trades !== undefined || report !== undefined;
}

async function searchPaths(run: Replay, progress: ProgressLine): Promise<BoundsFound> {
  const market = await prepareMarket(run.bot.config, run.archive);
  try {
    return await findBounds(market, {
      ...describeRun(run),
      onRun: (runs) => {
        progress.show(`bounds: run ${String(runs)}, at most ${String(MOST_RUNS)}`);
      },
    });
  } finally {
    await market.close();
  }
}

/** What every run of the bot has in common. */
function describeRun({
  bot,
  context,
}: Replay): Pick<RunOptions, 'config' | 'strategyClass' | 'sourceHash' | 'signal' | 'breathe'> {
  return {
    config: bot.config,
    strategyClass: bot.plugin.strategyClass,
    sourceHash: bot.plugin.sourceHash,
    signal: context.signal,
    breathe: () => nextTurn(),
  };
}

function describeFigures(figures: Result | ResultFigures, context: CliContext): string {
  const width = context.stdout.columns ?? DEFAULT_WIDTH;
  const color = usesColor(context);
  const chart = renderEquityChart(figures.equityCurve, { width, height: CHART_HEIGHT });
  return [renderSummary(figures, { color, width }), ...(chart === '' ? [] : ['', chart]), ''].join(
    '\n',
  );
}
