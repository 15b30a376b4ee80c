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
  moneyDecimals,
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
  readonly boundsRuns?: number;
  readonly journal?: string;
  readonly log?: true;
  readonly curve: 'daily' | 'candle';
  readonly trades?: string;
  readonly report?: string;
  readonly benchmark?: string;
  readonly watch?: true;
  /** The ledger that keeps the run as a trial; false for none. */
  readonly ledger?: string | false;
}

/** The result of a run, and a line about the ledger of trials. */
export interface PlayedBacktest {
  readonly figures: Result | ResultFigures;
  /** One line; undefined if no ledger keeps the run. */
  readonly ledger: string | undefined;
}

/** With so many fills, the code that runs once per fill is worth compiling. */
const MANY_FILLS = 10_000;
const CHART_HEIGHT = 8;
const DEFAULT_WIDTH = 80;

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
 * Plays a backtest and writes the requested files. All inputs are checked before the first candle, and files are written after the last.
 * `onReplayed` receives the record of the run before the result is made from it.
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
  /** Undefined unless an option needs more than the summary. */
  readonly result: Result | undefined;
  /** Undefined unless `--report` is given. */
  readonly page: RunPage | undefined;
}

/** Replays the bot. The market stays open until the page has its candles. */
async function replay(run: Replay): Promise<Played> {
  const { bot, archive, context, flags } = run;
  const progress = new ProgressLine(context.stderr);
  const market = await prepareMarket(bot.config, archive).catch((error: unknown) => {
    throw locateRunError(error, bot);
  });
  try {
    const own = await replayOwnPath(run, market, progress);
    const figures =
      flags.bounds === true
        ? withBounds(own, await searchPaths(run, progress, flags.boundsRuns))
        : own;
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

/** Reads the reason of each order from the journal that the run has just written. */
async function findReasons({
  file,
  flags: { journal, set },
  context,
}: Replay): Promise<readonly PageReason[]> {
  if (journal === undefined) return [];
  const { explainIntents } = await import('../report/explain-intents.js');
  return explainIntents(journal, { config: file, set }, context);
}

/** Replays the configured path, which the journal records. The other paths of `--bounds` are runs of their own. */
async function replayOwnPath(
  run: Replay,
  market: LoadedMarket,
  progress: ProgressLine,
): Promise<Result | ResultFigures> {
  const { bot, context, flags } = run;
  const { journal } = flags;
  const compileByLength = context.compileByLength?.();
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
      compileByLength?.({ total });
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

/** Whether an option needs the lists of orders, fills and trades. The summary needs only their numbers. */
function isListed({ json, trades, report }: BacktestFlags): boolean {
  return json !== undefined || trades !== undefined || report !== undefined;
}

async function searchPaths(
  run: Replay,
  progress: ProgressLine,
  budget = MOST_RUNS,
): Promise<BoundsFound> {
  const market = await prepareMarket(run.bot.config, run.archive);
  try {
    return await findBounds(market, {
      ...describeRun(run),
      budget,
      onRun: (runs) => {
        progress.show(`bounds: run ${String(runs)}, at most ${String(budget)}`);
      },
    });
  } finally {
    await market.close();
  }
}

/** The options that all runs of the bot share. */
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
  const decimals = moneyDecimals(figures.equity.currency);
  const chart = renderEquityChart(figures.equityCurve, { width, height: CHART_HEIGHT, decimals });
  return [renderSummary(figures, { color, width }), ...(chart === '' ? [] : ['', chart]), ''].join(
    '\n',
  );
}
