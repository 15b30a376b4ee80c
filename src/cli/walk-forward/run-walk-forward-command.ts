import { noticeMade } from '../../archive/index.js';
import { describeFinding } from '../../determinism/index.js';
import { present } from '../../domain/index.js';
import {
  buildWalkForward,
  figureOf,
  KeptReturns,
  ledgerOf,
  repeatTrials,
  runWalkForward,
  writeDocument,
  type FoldRun,
  type TrialDifference,
} from '../../research/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { readPlace, useOf, type QueuePlace } from '../queue/queue-place.js';
import { runAlone } from '../sweep/trial-threads.js';
import { relativeTo } from '../relative-to.js';
import { withTrialLedger } from '../sweep/with-trial-ledger.js';
import { withTrialRunner } from '../sweep/with-trial-runner.js';
import { systemTime } from '../../engine/index.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { planWalk, type PlannedWalk } from './plan-walk.js';
import { renderWalkForward } from './render-walk-forward.js';
import type { WalkForwardFlags } from './walk-forward-flags.js';

/** Runs `walk-forward`. All inputs are checked before the first combination, and the result is written after the last fold. */
export async function runWalkForwardCommand(
  file: string,
  flags: WalkForwardFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const place = await readPlace(flags, context);
  const bot = await loadBot(file, context, flags);
  const walk = await planWalk(bot, flags, context);
  const { setup } = walk;
  const ledger = flags.ledger ?? ledgerOf(setup.snapshot.directory);
  const runs = await play(walk, { bot, place, ledger, flags, context });
  const differences = await repeat(walk, runs, context);
  const warnings = [
    ...noticeMade(setup.snapshot.series.map(({ info }) => info)),
    ...bot.scan.findings.map(describeFinding),
  ];
  const document = buildWalkForward({
    ...walk,
    runs,
    objective: walk.goal,
    warnings,
    differences,
  });
  if (flags.json !== undefined) await writeOutput(flags.json, writeDocument(document), context);
  if (flags.json !== '-')
    context.stdout.write(renderWalkForward(document, { ledger: relativeTo(context, ledger) }));
  if (differences.length > 0) context.setExitCode(3);
}

interface Play {
  readonly bot: LoadedBot;
  readonly place: QueuePlace | undefined;
  readonly ledger: string;
  readonly flags: WalkForwardFlags;
  readonly context: CliContext;
}

async function play(
  { setup, folds, goal: objective }: PlannedWalk,
  { bot, place, ledger, flags, context }: Play,
): Promise<readonly FoldRun[]> {
  const { inputs } = present(folds[0], 'fold').inside;
  const trained = folds.flatMap(({ inside }) => inside.ids);
  const ids = [...trained, ...folds.flatMap(({ outside }) => outside.ids)];
  const kept = new KeptReturns(trained.length, objective);
  const use = { ledger, inputs, ids, counted: trained, context };
  return withTrialLedger(use, (opened, known) => {
    const queue = place && useOf(place, bot, opened);
    const runs = { context, setup, count: trained.length, jobs: flags.jobs, queue };
    return withTrialRunner(runs, (runner, onProgress) =>
      runWalkForward({
        folds,
        objective,
        runner,
        ledger: opened,
        known,
        now: () => systemTime.now(),
        keepsReturns: (id, outcome) => kept.keeps(id, figureOf(outcome, objective)),
        signal: context.signal,
        onProgress,
      }),
    );
  });
}

/** Repeats the tests alone, because they are what the walk is judged by, and most other runs come before the last of them. */
function repeat(
  { setup, folds }: PlannedWalk,
  runs: readonly FoldRun[],
  context: CliContext,
): Promise<readonly TrialDifference[]> {
  return repeatTrials(
    runs.map(({ outside }) => outside),
    (index) => {
      const { outside: plan } = present(folds[index], 'fold');
      const { chosen } = present(runs[index], 'run of a fold');
      const { parameters } = present(plan.combinations[chosen], 'combination');
      return runAlone(context, setup, { parameters, span: plan.span });
    },
  );
}
