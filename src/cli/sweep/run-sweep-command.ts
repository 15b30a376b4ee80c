import { nounOf } from '../../domain/index.js';
import path from 'node:path';
import { noticeMade, openRunArchive } from '../../archive/index.js';
import { combineProblems } from '../../config/index.js';
import { describeFinding } from '../../determinism/index.js';
import {
  ENGINE_VERSION,
  findMissingData,
  locateRunError,
  prepareMarket,
} from '../../assembly/index.js';
import {
  buildSweep,
  figureOf,
  KeptReturns,
  KnownTrials,
  ledgerOf,
  objectiveOf,
  openSnapshot,
  planSweep,
  repeatTrials,
  runSweep,
  takeSnapshot,
  TrialLedger,
  writeSweep,
  type SweepPlan,
  type TrialDifference,
  type TrialOutcome,
} from '../../research/index.js';
import { STRATEGY } from '../../strategy/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import { pluginCache } from '../bot/plugin-cache.js';
import type { CliContext, CreateTrialRunner } from '../cli-context.js';
import { jobsFor } from '../threads/jobs.js';
import { systemTime } from '../venue/system-time.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { chooseSearch, type SweepFlags } from './choose-search.js';
import { renderSweep } from './render-sweep.js';
import { SweepProgressLine } from './sweep-progress.js';
import { createTrialPool, type TrialSetup } from './trial-pool.js';

const inThreads: CreateTrialRunner = (setup, jobs) =>
  createTrialPool({ entry: new URL('./run-trial.thread.js', import.meta.url), jobs, setup });

/** Runs `sweep`: everything is checked before the first combination, and the result is written after the last. */
export async function runSweepCommand(
  file: string,
  flags: SweepFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const bot = await loadBot(file, context, flags);
  const search = chooseSearch(flags, bot.plugin.strategyClass[STRATEGY].parameters);
  const objective = objectiveOf(flags.objective);
  const { setup, plan } = await prepare(bot, search.combinations, context);
  const ledger = flags.ledger ?? ledgerOf(setup.snapshot.directory);
  const { outcomes, before } = await play({ setup, plan, ledger, flags, context });
  const differences = await repeat({ setup, plan, context }, outcomes);
  const warnings = [
    ...noticeMade(setup.snapshot.series.map(({ info }) => info)),
    ...bot.scan.findings.map(describeFinding),
  ];
  const sweep = buildSweep({ plan, ...search, objective, outcomes, warnings, differences });
  if (flags.json !== undefined) await writeOutput(flags.json, writeSweep(sweep), context);
  if (flags.json !== '-') {
    const searched = { ledger: relative(ledger, context), before };
    context.stdout.write(renderSweep(sweep, searched));
  }
  if (sweep.counts.finished === 0) context.setExitCode(1);
  else if (differences.length > 0) context.setExitCode(3);
}

interface Prepared {
  readonly setup: TrialSetup;
  readonly plan: SweepPlan;
}

/** Reads the market once, into memory that the threads will share. */
async function prepare(
  bot: LoadedBot,
  combinations: SweepPlan['combinations'],
  context: CliContext,
): Promise<Prepared> {
  const { config, plugin } = bot;
  const archive = openRunArchive(config.simulation.archive);
  const missing = await findMissingData(bot, archive);
  if (missing.length > 0) throw combineProblems(missing);
  const snapshot = await takeSnapshot(config, archive);
  const market = await prepareMarket(config, openSnapshot(snapshot)).catch((error: unknown) => {
    throw locateRunError(error, bot);
  });
  const plan = planSweep(combinations, {
    config,
    market,
    strategy: plugin.strategyClass.name,
    sourceHash: plugin.sourceHash,
    engine: ENGINE_VERSION,
  });
  await market.close();
  const { sourceHash } = plugin;
  return { setup: { config, snapshot, sourceHash, cacheFolder: await pluginCache(context) }, plan };
}

interface Play extends Prepared {
  readonly ledger: string;
  readonly flags: SweepFlags;
  readonly context: CliContext;
}

interface Played {
  readonly outcomes: readonly TrialOutcome[];
  /** Trials of the strategy on these data that were made before, in other sweeps. */
  readonly before: number;
}

async function play(run: Play): Promise<Played> {
  const { plan, context } = run;
  const shown = relative(run.ledger, context);
  const known = new KnownTrials(shown, plan.inputs, new Set(plan.ids));
  const file = path.resolve(context.cwd, run.ledger);
  const ledger = await TrialLedger.open({ file, onLine: known.look });
  try {
    sayWhatIsKnown(known, { shown, torn: ledger.torn, total: plan.ids.length }, context);
    return { outcomes: await playOn(run, ledger, known), before: known.before };
  } finally {
    await ledger.close();
    if (context.signal.aborted)
      context.stderr.write(`${shown} keeps what has ended: the same command goes on from there\n`);
  }
}

async function playOn(
  { setup, plan, flags, context }: Play,
  ledger: TrialLedger,
  known: KnownTrials,
): Promise<readonly TrialOutcome[]> {
  const missing = plan.ids.length - known.count;
  const jobs = jobsFor(missing, flags.jobs);
  const runner = await (context.createTrialRunner ?? inThreads)(setup, jobs);
  const progress = new SweepProgressLine(context.stderr);
  const objective = objectiveOf(flags.objective);
  const kept = new KeptReturns(plan.ids.length, objective);
  try {
    return await runSweep({
      plan,
      runner,
      ledger,
      known,
      now: () => systemTime.now(),
      keepsReturns: (id, outcome) => kept.keeps(id, figureOf(outcome, objective)),
      signal: context.signal,
      onProgress: (state) => {
        progress.show(state);
      },
    });
  } finally {
    progress.clear();
    await runner.close();
  }
}

/** Each in a thread of its own, in which the plugin is loaded anew: what it kept of others is not there. */
async function repeat(
  { setup, plan, context }: Prepared & Pick<Play, 'context'>,
  outcomes: readonly TrialOutcome[],
): Promise<readonly TrialDifference[]> {
  return repeatTrials(plan, outcomes, async (parameters) => {
    const runner = await (context.createTrialRunner ?? inThreads)(setup, 1);
    const interrupt = (): void => void runner.close();
    context.signal.addEventListener('abort', interrupt);
    try {
      context.signal.throwIfAborted();
      return (await runner.run(parameters)).outcome;
    } catch (error: unknown) {
      context.signal.throwIfAborted();
      throw error;
    } finally {
      context.signal.removeEventListener('abort', interrupt);
      await runner.close();
    }
  });
}

function sayWhatIsKnown(
  { count, others }: KnownTrials,
  { shown, torn, total }: { readonly shown: string; readonly torn: number; readonly total: number },
  { stderr }: CliContext,
): void {
  if (torn > 0)
    stderr.write(
      `${shown}: the last ${String(torn)} ${nounOf(torn, 'byte was', 'bytes were')} left unfinished by a crash, and ${nounOf(torn, 'was', 'were')} removed\n`,
    );
  if (count > 0)
    stderr.write(
      `${shown} knows ${String(count)} of ${String(total)} combinations: they are not run again\n`,
    );
  else if (others.count > 0)
    stderr.write(
      `${shown} has ${String(others.count)} ${nounOf(others.count, 'trial')} of this strategy with another ${others.differences.join(', ')}: all combinations run anew\n`,
    );
}

function relative(file: string, { cwd }: CliContext): string {
  const shown = path.relative(cwd, path.resolve(cwd, file));
  return shown.startsWith('..') ? file : shown;
}
