import { noticeMade } from '../../archive/index.js';
import { present } from '../../domain/index.js';
import { describeFinding } from '../../determinism/index.js';
import {
  buildSweep,
  chooseSearch,
  figureOf,
  KeptReturns,
  ledgerOf,
  planSweep,
  repeatTrials,
  runSearch,
  writeDocument,
  type KnownTrials,
  type Search,
  type SearchRun,
  type Sweep,
  type SweepGround,
  type TrialDifference,
  type TrialLedger,
} from '../../research/index.js';
import { STRATEGY } from '../../strategy/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { readPlace, useOf, type QueuePlace } from '../queue/queue-place.js';
import { systemTime } from '../../engine/index.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { groundTrials, readTrialSetup } from './prepare-trials.js';
import type { SweepFlags } from './sweep-flags.js';
import { renderSweep } from './render-sweep.js';
import { describeBestSoFar } from './sweep-progress.js';
import type { TrialSetup } from './trial-pool.js';
import { runAlone } from './trial-threads.js';
import { relativeTo } from '../relative-to.js';
import { withTrialLedger } from './with-trial-ledger.js';
import { withTrialRunner } from './with-trial-runner.js';
import { openParameterFile, writeParameters, type ParameterFile } from './write-parameters.js';

/** Runs `sweep`. All inputs are checked before the first combination, and the result is written after the last. */
export async function runSweepCommand(
  file: string,
  flags: SweepFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const place = await readPlace(flags, context);
  const bot = await loadBot(file, context, flags);
  const { parameters } = bot.plugin.strategyClass[STRATEGY];
  const search = chooseSearch(flags, parameters, bot.config.strategy.parameters);
  const target = await openParameterFile(flags, bot, { space: search.space, context });
  const setup = await readTrialSetup(bot, context);
  const ground = await groundTrials({ bot, setup });
  const ledger = flags.ledger ?? ledgerOf(setup.snapshot.directory);
  const prepared = { bot, place, setup, ground, search, flags, context };
  const { before, ...run } = await play(prepared, ledger);
  const differences = await repeat(prepared, run);
  const warnings = [
    ...noticeMade(setup.snapshot.series.map(({ info }) => info)),
    ...bot.scan.findings.map(describeFinding),
  ];
  const sweep = buildSweep({ ...run, ...search, warnings, differences });
  if (flags.json !== undefined) await writeOutput(flags.json, writeDocument(sweep), context);
  if (flags.json !== '-') {
    const searched = { ledger: relativeTo(context, ledger), before };
    context.stdout.write(renderSweep(sweep, searched));
  }
  if (target !== undefined) await writeBest(target, sweep, context);
  if (sweep.counts.finished === 0) context.setExitCode(1);
  else if (differences.length > 0) context.setExitCode(3);
}

/** Writes the best parameters if there are any, and if no repeated combination differs. */
async function writeBest(
  target: ParameterFile,
  { best, differences }: Sweep,
  context: CliContext,
): Promise<void> {
  if (best !== null && differences.length === 0)
    return writeParameters(target, best.parameters, context);
  const reason = best === null ? 'no combination is the best' : 'earlier runs affect the result';
  context.stderr.write(`${target.name} was not changed: ${reason}\n`);
}

interface Prepared {
  readonly bot: LoadedBot;
  readonly place: QueuePlace | undefined;
  readonly setup: TrialSetup;
  readonly ground: SweepGround;
  readonly search: Search;
  readonly flags: SweepFlags;
  readonly context: CliContext;
}

interface PlayedSearch extends SearchRun {
  /** Number of earlier trials of the strategy on these data, by other sweeps. */
  readonly before: number;
}

function play(prepared: Prepared, ledger: string): Promise<PlayedSearch> {
  const { ground, search, context } = prepared;
  const ids = search.combinations && planSweep(search.combinations, ground).ids;
  const use = { ledger, inputs: ground.inputs, ids, context };
  return withTrialLedger(use, async (opened, known) => {
    const run = await playOn(prepared, opened, known);
    return { ...run, before: known.countBefore(run.plan.ids) };
  });
}

async function playOn(
  { bot, place, setup, ground, search, flags, context }: Prepared,
  ledger: TrialLedger,
  known: KnownTrials,
): Promise<SearchRun> {
  const { count, goal } = search;
  const missing = search.combinations === undefined ? count : count - known.count;
  const kept = new KeptReturns(count, goal);
  const queue = place && useOf(place, bot, ledger);
  const use = { context, setup, count: missing, jobs: flags.jobs, queue };
  return withTrialRunner(use, (runner, onProgress) =>
    runSearch({
      ground,
      search,
      runner,
      ledger,
      known,
      now: () => systemTime.now(),
      keepsReturns: (id, outcome) => kept.keeps(id, figureOf(outcome, goal)),
      signal: context.signal,
      onProgress: (state) => {
        onProgress(state, describeBestSoFar(state.best, goal));
      },
    }),
  );
}

function repeat(
  { setup, context }: Pick<Prepared, 'setup' | 'context'>,
  { plan, outcomes }: SearchRun,
): Promise<readonly TrialDifference[]> {
  return repeatTrials(outcomes, (index) => {
    const { parameters } = present(plan.combinations[index], 'combination');
    return runAlone(context, setup, { parameters });
  });
}
