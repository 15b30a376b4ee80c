import { noticeMade } from '../../archive/index.js';
import { present } from '../../domain/index.js';
import { describeFinding } from '../../determinism/index.js';
import {
  buildSweep,
  chooseSearch,
  figureOf,
  KeptReturns,
  ledgerOf,
  objectiveOf,
  repeatTrials,
  runSweep,
  writeSweep,
  type KnownTrials,
  type SweepPlan,
  type TrialDifference,
  type TrialLedger,
  type TrialOutcome,
} from '../../research/index.js';
import { STRATEGY } from '../../strategy/index.js';
import { loadBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { jobsFor } from '../threads/jobs.js';
import { systemTime } from '../venue/system-time.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { planTrials, readTrialSetup } from './prepare-trials.js';
import type { SweepFlags } from './sweep-flags.js';
import { renderSweep } from './render-sweep.js';
import { SweepProgressLine } from './sweep-progress.js';
import type { TrialSetup } from './trial-pool.js';
import { runAlone, startTrialRunner } from './trial-threads.js';
import { relativeTo, withTrialLedger } from './with-trial-ledger.js';

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
  const setup = await readTrialSetup(bot, context);
  const plan = await planTrials({ bot, setup }, search.combinations);
  const ledger = flags.ledger ?? ledgerOf(setup.snapshot.directory);
  const use = { ledger, inputs: plan.inputs, ids: plan.ids, context };
  const { outcomes, before } = await withTrialLedger(use, async (opened, known) => ({
    outcomes: await play({ setup, plan, ledger: opened, known, flags, context }),
    before: known.before,
  }));
  const differences = await repeat({ setup, plan, context }, outcomes);
  const warnings = [
    ...noticeMade(setup.snapshot.series.map(({ info }) => info)),
    ...bot.scan.findings.map(describeFinding),
  ];
  const sweep = buildSweep({ plan, ...search, objective, outcomes, warnings, differences });
  if (flags.json !== undefined) await writeOutput(flags.json, writeSweep(sweep), context);
  if (flags.json !== '-') {
    const searched = { ledger: relativeTo(context, ledger), before };
    context.stdout.write(renderSweep(sweep, searched));
  }
  if (sweep.counts.finished === 0) context.setExitCode(1);
  else if (differences.length > 0) context.setExitCode(3);
}

interface Prepared {
  readonly setup: TrialSetup;
  readonly plan: SweepPlan;
  readonly context: CliContext;
}

interface Play extends Prepared {
  readonly ledger: TrialLedger;
  readonly known: KnownTrials;
  readonly flags: SweepFlags;
}

async function play(run: Play): Promise<readonly TrialOutcome[]> {
  const { setup, plan, ledger, known, flags, context } = run;
  const missing = plan.ids.length - known.count;
  const runner = await startTrialRunner(context, setup, jobsFor(missing, flags.jobs));
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

function repeat(
  { setup, plan, context }: Prepared,
  outcomes: readonly TrialOutcome[],
): Promise<readonly TrialDifference[]> {
  return repeatTrials(outcomes, (index) => {
    const { parameters } = present(plan.combinations[index], 'combination');
    return runAlone(context, setup, { parameters });
  });
}
