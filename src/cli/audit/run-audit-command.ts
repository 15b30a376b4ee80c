import path from 'node:path';
import { openRunArchive, type Archive } from '../../archive/index.js';
import { findMissingData, locateRunError } from '../../assembly/index.js';
import { combineProblems } from '../../config/index.js';
import { describeFinding, readPluginSources } from '../../determinism/index.js';
import { DataError, nounOf } from '../../domain/index.js';
import {
  AUDIT_PARTS,
  describeAudit,
  runAudit,
  takeSnapshot,
  writeDocument,
  type MarketSnapshot,
} from '../../research/index.js';
import { STRATEGY } from '../../strategy/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import { pluginCache } from '../bot/plugin-cache.js';
import { describeTextFindings } from '../check/describe-findings.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { describeRest } from '../sweep/sweep-progress.js';
import { jobsFor } from '../threads/jobs.js';
import { checkOutput, writeOutput } from '../write-output.js';
import type { AuditFlags } from './audit-flags.js';
import type { AuditSetup } from './audit-ground.js';
import { startAuditRunner } from './audit-threads.js';
import { renderAudit } from './render-audit.js';

/** Runs `audit`. It checks all inputs before the first backtest, and writes the result after the last. */
export async function runAuditCommand(
  file: string,
  flags: AuditFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const bot = await loadBot(file, context, flags);
  const setup = await readSetup(bot, context);
  const jobs = jobsFor(Number.POSITIVE_INFINITY, flags.jobs);
  const pace = new AuditPace(context, jobs);
  try {
    const document = await runAudit({
      strategy: bot.plugin.name,
      sourceHash: bot.plugin.sourceHash,
      config: setup.config,
      declared: bot.plugin.strategyClass[STRATEGY].parameters,
      snapshot: setup.snapshot,
      parts: flags.only ?? AUDIT_PARTS,
      seed: flags.seed,
      instants: flags.instants,
      jobs,
      said: {
        findings: describeTextFindings(bot, context),
        notes: bot.scan.notes.map(describeFinding),
      },
      texts: await pluginTexts(bot, context),
      startRunner: ({ jobs: threads, clockOffsetMs = 0 }) =>
        startAuditRunner(context, { ...setup, clockOffsetMs }, threads),
      onPlan: ({ runs }) => {
        pace.announce(runs);
      },
      onProgress: ({ done, total }) => {
        pace.show(done, total);
      },
    });
    pace.clear();
    if (flags.json !== undefined) await writeOutput(flags.json, writeDocument(document), context);
    const words = describeAudit(document);
    if (flags.json !== '-') context.stdout.write(renderAudit(words));
    if (words.findings.length > 0) context.setExitCode(3);
  } catch (error: unknown) {
    throw locateRunError(error, bot);
  } finally {
    pace.clear();
  }
}

async function pluginTexts(
  { config }: LoadedBot,
  { cwd }: CliContext,
): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const sources = await readPluginSources(config.strategy.path);
  return [...sources].map(([file, text]) => ({ file: path.relative(cwd, file), text }));
}

/**
 * Reads the market once, into memory that the threads share; with finer candles if some are stored.
 *
 * @throws {ConfigError} at the keys whose data is missing; {DataError} as the archive.
 */
async function readSetup(bot: LoadedBot, context: CliContext): Promise<AuditSetup> {
  const { config, plugin } = bot;
  const archive = openRunArchive(config.simulation.archive);
  const missing = await findMissingData(bot, archive);
  if (missing.length > 0) throw combineProblems(missing);
  return {
    config,
    snapshot: await takeFineSnapshot(config, archive),
    sourceHash: plugin.sourceHash,
    cacheFolder: await pluginCache(context),
    clockOffsetMs: 0,
  };
}

/** Takes a snapshot with finer candles. If these are missing or of another time only, takes one without them. */
async function takeFineSnapshot(
  config: LoadedBot['config'],
  archive: Archive,
): Promise<MarketSnapshot> {
  const simulation = { ...config.simulation, path: 'finer' as const };
  try {
    return await takeSnapshot({ ...config, simulation }, archive);
  } catch (error: unknown) {
    if (config.simulation.path === 'finer' || !(error instanceof DataError)) throw error;
    return takeSnapshot(config, archive);
  }
}

/** Shows on a terminal how many backtests there will be, how long they take, and then the progress. */
class AuditPace {
  readonly #context: Pick<CliContext, 'stderr'>;
  readonly #line: ProgressLine;
  readonly #jobs: number;
  readonly #startedAt = performance.now();

  constructor(context: Pick<CliContext, 'stderr'>, jobs: number) {
    this.#context = context;
    this.#line = new ProgressLine(context.stderr);
    this.#jobs = jobs;
  }

  /** Call it after the first backtest: its time gives the estimate for the others. */
  announce(runs: number): void {
    const { stderr } = this.#context;
    if (!stderr.isTerminal) return;
    const each = performance.now() - this.#startedAt;
    this.#line.clear();
    const rest = describeRest((each * (runs - 1)) / this.#jobs);
    stderr.write(`${String(runs)} ${nounOf(runs, 'backtest')}, about ${rest}\n`);
  }

  show(done: number, total: number): void {
    const percent = Math.floor((100 * done) / total);
    this.#line.show(`${String(done)} of ${String(total)} backtests, ${String(percent)} %`);
  }

  clear(): void {
    this.#line.clear();
  }
}
