import { setImmediate as nextTurn } from 'node:timers/promises';
import { openArchive, type Archive } from '../../archive/index.js';
import {
  runBacktest,
  type BacktestProgress,
  type PathMode,
} from '../../assembly/backtest/index.js';
import { formatUtc, present } from '../../domain/index.js';
import {
  buildResult,
  combineBounds,
  renderEquityChart,
  renderSummary,
  resultPieces,
  withBounds,
  type Result,
} from '../../report/index.js';
import { findMissingData } from '../bot/find-missing-data.js';
import { loadBot, locateRunError, type LoadedBot } from '../bot/load-bot.js';
import { usesColor, type CliContext } from '../cli-context.js';
import { combineProblems } from '../config/combine-problems.js';
import { ProgressLine } from '../progress.js';
import { checkOutput, writeOutput } from '../write-output.js';
import type { BacktestFlags } from './backtest-flags.js';
import { keepJournal, refuseOldJournal } from './keep-journal.js';

/** Paths of the range (DESIGN R16). */
const BOUND_PATHS: readonly PathMode[] = [
  'nearest',
  'high-first',
  'low-first',
  'greedy-low',
  'greedy-high',
];

const CHART_HEIGHT = 8;
const DEFAULT_WIDTH = 80;

/** Runs `backtest`: everything is checked before the first candle, and nothing is written before the last. */
export async function runBacktestVerb(
  file: string,
  flags: BacktestFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  if (flags.journal !== undefined) await refuseOldJournal(flags.journal, context);
  const bot = await loadBot(file, context, flags);
  const archive = openArchive(bot.config.simulation.archive);
  const missing = await findMissingData(bot, archive);
  if (missing.length > 0) throw combineProblems(missing);
  const result = await replay({ file, bot, archive, context, flags });
  if (flags.json !== undefined) await writeOutput(flags.json, resultPieces(result), context);
  if (flags.json !== '-') context.stdout.write(describeResult(result, context));
}

interface Replay {
  readonly file: string;
  readonly bot: LoadedBot;
  readonly archive: Archive;
  readonly context: CliContext;
  readonly flags: BacktestFlags;
}

async function replay(run: Replay): Promise<Result> {
  const { bot, context, flags } = run;
  const progress = new ProgressLine(context.stderr);
  const own = bot.config.simulation.path;
  const others = flags.bounds === true ? BOUND_PATHS.filter((path) => path !== own) : [];
  const results: Result[] = [];
  try {
    for (const path of [own, ...others]) {
      results.push(await replayPath(run, { path, progress }));
    }
  } catch (error: unknown) {
    throw locateRunError(error, bot);
  } finally {
    progress.clear();
  }
  const first = present(results[0], 'the result of the own path');
  return flags.bounds === true ? withBounds(first, combineBounds(results)) : first;
}

/** The journal is of the configured path: the other paths of a range are runs of their own. */
async function replayPath(
  run: Replay,
  { path, progress }: { readonly path: PathMode; readonly progress: ProgressLine },
): Promise<Result> {
  const { bot, archive, context, flags } = run;
  const isJournalled = flags.journal !== undefined && path === bot.config.simulation.path;
  const kept = isJournalled ? await keepJournal({ ...run, journal: flags.journal }) : undefined;
  const options = {
    config: bot.config,
    archive,
    strategyClass: bot.plugin.strategyClass,
    sourceHash: bot.plugin.sourceHash,
    findings: bot.scan.findings,
    path,
    keepCloses: flags.curve === 'candle',
    journal: kept?.journal,
    onBegin: kept?.begin,
    signal: context.signal,
    onProgress: ({ done, total, time }: BacktestProgress) => {
      const percent = Math.floor((100 * done) / Math.max(1, total));
      progress.show(`${path} ${String(percent)} % ${formatUtc(time)}`);
    },
    breathe: () => nextTurn(),
  };
  const record = await runBacktest(options).catch((error: unknown) => {
    kept?.end(error);
    throw error;
  });
  kept?.end();
  return buildResult(record, { curve: flags.curve });
}

function describeResult(result: Result, context: CliContext): string {
  const width = context.stdout.columns ?? DEFAULT_WIDTH;
  const color = usesColor(context);
  const chart = renderEquityChart(result.equityCurve, { width, height: CHART_HEIGHT });
  return [renderSummary(result, { color, width }), ...(chart === '' ? [] : ['', chart]), ''].join(
    '\n',
  );
}
