import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  createHeldPrices,
  listActiveChecks,
  PlotRecorder,
  SessionRecorder,
} from '../../assembly/backtest/index.js';
import { JournalError, UsageError } from '../../domain/index.js';
import type { StrategyLog } from '../../engine/index.js';
import { readJournal, type Epoch } from '../../journal/index.js';
import type { PageReason } from '../../page/index.js';
import { buildResult, renderSummary, resultPieces, type Result } from '../../report/index.js';
import { usesColor, type CliContext } from '../cli-context.js';
import { findJournals, YAML } from '../live/find-bot.js';
import { openRun, type OpenRun } from '../replay/open-run.js';
import { watchReplay, type ReplayWatch } from '../replay/replay-opened.js';
import { chartSeries } from '../report/chart-series.js';
import { MOST_REASONS } from '../report/explain-intents.js';
import { writeReport } from '../report/write-report.js';
import { checkTradesFile, writeTrades } from '../trades/write-trades.js';
import { IntentReasons } from '../why/intent-reasons.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { chooseEpochs, describeChoices, describeLeftOut, type EpochRange } from './epoch-range.js';

/** Options of `result` as commander parses them. */
export interface ResultFlags {
  readonly config?: string;
  readonly epoch?: EpochRange;
  readonly json?: string;
  readonly curve: 'daily' | 'candle';
  readonly trades?: string;
  readonly report?: string;
}

const DEFAULT_WIDTH = 80;

/** Runs `result`. It writes nothing until the whole journal was replayed. */
export async function runResult(
  bot: string,
  flags: ResultFlags,
  context: CliContext,
): Promise<void> {
  for (const file of [flags.json, flags.trades, flags.report])
    if (file !== undefined) await checkOutput(file, context);
  if (flags.trades !== undefined) checkTradesFile(flags.trades);
  const { result, recorder, reasons } = await replaySession(bot, flags, context);
  if (flags.json !== undefined) await writeOutput(flags.json, resultPieces(result), context);
  if (flags.trades !== undefined) await writeTrades(flags.trades, result, context);
  if (flags.report !== undefined) {
    const { buildRunPage } = await import('../../page/index.js');
    const page = buildRunPage(result, { series: chartSeries(recorder), reasons });
    await writeReport(flags.report, page, context);
  }
  if (flags.json === '-') return;
  const width = context.stdout.columns ?? DEFAULT_WIDTH;
  context.stdout.write(`${renderSummary(result, { color: usesColor(context), width })}\n`);
  if (flags.report !== undefined) context.stdout.write(`\nReport    ${flags.report}\n`);
}

interface ReplayedSession {
  readonly result: Result;
  readonly recorder: { readonly series: ReturnType<SessionRecorder['series']> };
  readonly reasons: readonly PageReason[];
}

async function replaySession(
  bot: string,
  flags: ResultFlags,
  context: CliContext,
): Promise<ReplayedSession> {
  const journal = await findJournal(bot, context);
  const all = await listEpochs(journal);
  const epochs = chooseEpochs(journal, all, flags.epoch);
  const config = flags.config ?? (YAML.test(bot) ? bot : undefined);
  const named = config === undefined ? {} : { config };
  let session: Session | undefined;
  for (const epoch of epochs) {
    const opened = await openRun(journal, { ...named, epoch: epoch.id }, context);
    try {
      session ??= new Session(opened, flags);
      await session.replay(opened, context);
    } catch (error: unknown) {
      if (!(error instanceof UsageError) || error.code !== 'E_REPLAY_INPUTS') throw error;
      const choices = describeChoices(epoch, epochs, all);
      throw new UsageError(error.code, `${error.message}${choices}`, { cause: error });
    } finally {
      opened.reader.close();
    }
  }
  if (session === undefined)
    throw new UsageError('E_REPLAY_EPOCH', `${journal}: the journal has no epoch`);
  return session.finish(flags, describeLeftOut(epochs, all));
}

/** Replays the epochs of one bot one after the other. */
class Session {
  readonly #first: OpenRun;
  readonly #recorder: SessionRecorder;
  readonly #plots: PlotRecorder;
  readonly #reasons: IntentReasons;
  readonly #log: StrategyLog;

  constructor(opened: OpenRun, { curve }: ResultFlags) {
    const { bot, terms } = opened;
    this.#first = opened;
    this.#recorder = new SessionRecorder({
      config: bot.config,
      strategyClass: bot.plugin.strategyClass,
      sourceHash: bot.plugin.sourceHash,
      terms,
      keepsCloses: curve === 'candle',
    });
    this.#plots = new PlotRecorder(bot.config);
    this.#reasons = new IntentReasons();
    this.#log = this.#plots.over(this.#reasons.watch.log, this.#recorder.now);
  }

  replay(opened: OpenRun, context: CliContext): Promise<void> {
    const recorder = this.#recorder;
    const { watch } = this.#reasons;
    const watching: ReplayWatch = {
      log: this.#log,
      onVerdict: watch.onVerdict,
      onStarted: (engine) => {
        recorder.begin(engine, opened.epoch);
      },
      onEntry: (entry) => {
        watch.onEntry(entry);
        recorder.onEntry(entry);
      },
      onReplayed: recorder.onReplayed,
    };
    return watchReplay(opened, watching, context);
  }

  finish({ curve }: ResultFlags, notes: readonly string[]): ReplayedSession {
    const { bot, terms } = this.#first;
    const record = this.#recorder.record(notes);
    const series = this.#recorder.series();
    const active = listActiveChecks(bot.config, terms.rules);
    return {
      result: buildResult(record, {
        curve,
        prices: createHeldPrices(series, bot.config.simulation),
        plots: this.#plots.since(record.run.from),
      }),
      recorder: { series },
      reasons: this.#reasons.finish(
        (id) => (active.get(id) ?? []).map(({ name }) => name),
        MOST_REASONS,
      ),
    };
  }
}

/** @throws {JournalError} `E_JOURNAL_MISSING` if the bot has no journal; as `findJournals`. */
async function findJournal(bot: string, { cwd }: CliContext): Promise<string> {
  const journals = await findJournals(bot, cwd);
  const found = journals.find((file) => existsSync(file));
  if (found !== undefined) return found;
  const places = journals.map((file) => path.relative(cwd, file)).join(' or ');
  throw new JournalError('E_JOURNAL_MISSING', `${bot} has no journal yet: expected ${places}`);
}

/** @throws {JournalError} as `readJournal`. */
async function listEpochs(journal: string): Promise<readonly Epoch[]> {
  const reader = await readJournal(journal);
  try {
    return reader.epochs();
  } finally {
    reader.close();
  }
}
