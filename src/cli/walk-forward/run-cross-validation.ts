import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { noticeMade } from '../../archive/index.js';
import { describeFinding } from '../../determinism/index.js';
import { DAY_MS, DataError, present, UsageError } from '../../domain/index.js';
import { durationText } from '../../report/index.js';
import {
  buildCrossValidation,
  dayChoiceOf,
  layOutCpcv,
  ledgerOf,
  MOST_KEPT,
  parametersText,
  purgeOf,
  repeatTrials,
  runWholeTrials,
  tableOfTrials,
  validateSplits,
  wholeDaysOf,
  writeDocument,
  type Combination,
  type Cpcv,
  type DayChoice,
  type Purge,
  type SweepPlan,
  type TrialTable,
  type Validation,
  type WholeTrials,
} from '../../research/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { readPlace, useOf, type QueuePlace } from '../queue/queue-place.js';
import { openMarket, planTrials, readTrialSetup } from '../sweep/prepare-trials.js';
import type { TrialSetup } from '../sweep/trial-pool.js';
import { runAlone } from '../sweep/trial-threads.js';
import { relativeTo } from '../relative-to.js';
import { withTrialLedger } from '../sweep/with-trial-ledger.js';
import { withTrialRunner } from '../sweep/with-trial-runner.js';
import { systemTime } from '../../engine/index.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { chooseListed, walkRange } from './plan-walk.js';
import { renderCrossValidation } from './render-cross-validation.js';
import type { CpcvGroups, WalkForwardFlags } from './walk-forward-flags.js';

/** Most daily returns in memory: 160 MB. */
const MOST_CELLS = 20_000_000;
/** Default of the embargo: the share of all days that follows each tested block and is not trained on. */
const EMBARGO = 0.01;

/** Runs `walk-forward --cpcv`. All inputs are checked before the first combination, and the result is written after the last split. */
export async function runCrossValidation(
  file: string,
  flags: WalkForwardFlags & { readonly cpcv: CpcvGroups },
  context: CliContext,
): Promise<void> {
  refuseFolds(flags);
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const place = await readPlace(flags, context);
  const bot = await loadBot(file, context, flags);
  const search = chooseListed(bot, flags);
  const objective = dayChoiceOf(search.goal);
  const setup = await readTrialSetup(bot, context);
  const market = await openMarket({ bot, setup });
  const range = wholeDaysOf(walkRange(bot, market.series));
  await market.close();
  requireRoom(search.combinations, Math.max(0, (range.to - range.from) / DAY_MS), flags.cpcv);
  const plan = await planTrials({ bot, setup }, search.combinations);
  const ledger = flags.ledger ?? ledgerOf(setup.snapshot.directory);
  const prepared = { bot, place, setup, plan, flags, context };
  const trials = await play(prepared, ledger);
  const table = tableOfTrials({ plan, ...trials });
  const validated = await validate({ ...prepared, objective, trials, table });
  const differences = await repeatTrials(trials.outcomes, (index) => {
    const { parameters } = present(plan.combinations[index], 'combination');
    return runAlone(context, setup, { parameters });
  });
  const warnings = [
    ...noticeMade(setup.snapshot.series.map(({ info }) => info)),
    ...bot.scan.findings.map(describeFinding),
  ];
  const { tested } = flags.cpcv;
  const found = { plan, objective, table, tested, differences, warnings };
  const document = buildCrossValidation({ ...found, ...search, ...trials, ...validated });
  if (flags.json !== undefined) await writeOutput(flags.json, writeDocument(document), context);
  if (flags.json !== '-')
    context.stdout.write(renderCrossValidation(document, relativeTo(context, ledger)));
  if (differences.length > 0) context.setExitCode(3);
}

/** @throws {UsageError} `E_USAGE` for options that lay out folds. */
function refuseFolds({ train, test, step, anchored }: WalkForwardFlags): void {
  const given = Object.entries({ train, test, step, anchored }).filter(
    ([, value]) => value !== undefined,
  );
  const [first] = given;
  if (first === undefined) return;
  throw new UsageError(
    'E_USAGE',
    `--cpcv and --${first[0]} exclude each other: leave one of them out`,
  );
}

/** @throws {UsageError} `E_CPCV_SIZE`; {DataError} `E_SAMPLE` for groups that cannot be made, and for a single combination. */
function requireRoom(combinations: readonly Combination[], days: number, groups: CpcvGroups): void {
  layOutCpcv({ rows: days, ...groups });
  const { length } = combinations;
  if (length < 2)
    throw new DataError(
      'E_SAMPLE',
      `--cpcv: expected at least 2 combinations to choose among, received ${String(length)}; name more values with --grid`,
    );
  if (length <= MOST_KEPT && length * days <= MOST_CELLS) return;
  throw new UsageError(
    'E_CPCV_SIZE',
    `expected at most ${String(MOST_KEPT)} combinations and ${String(MOST_CELLS)} daily returns in all, received ${String(length)} of ${String(days)} days; use larger steps of parameters, --random or --sobol`,
  );
}

interface Prepared {
  readonly bot: LoadedBot;
  readonly place: QueuePlace | undefined;
  readonly setup: TrialSetup;
  readonly plan: SweepPlan;
  readonly flags: WalkForwardFlags & { readonly cpcv: CpcvGroups };
  readonly context: CliContext;
}

function play(
  { bot, place, setup, plan, flags, context }: Prepared,
  ledger: string,
): Promise<WholeTrials> {
  const use = { ledger, inputs: plan.inputs, ids: plan.ids, context };
  return withTrialLedger(use, (opened, known) => {
    const count = plan.ids.length - known.count;
    const queue = place && useOf(place, bot, opened);
    return withTrialRunner(
      { context, setup, count, jobs: flags.jobs, queue },
      (runner, onProgress) =>
        runWholeTrials({
          plan,
          runner,
          ledger: opened,
          file: path.resolve(context.cwd, ledger),
          known,
          now: () => systemTime.now(),
          signal: context.signal,
          onProgress,
        }),
    );
  });
}

interface Validated {
  readonly layout: Cpcv;
  readonly purge: Purge;
  readonly embargo: number;
  readonly validation: Validation;
}

async function validate({
  plan,
  flags,
  context,
  objective,
  trials,
  table,
}: Prepared & {
  readonly objective: DayChoice;
  readonly trials: WholeTrials;
  readonly table: TrialTable;
}): Promise<Validated> {
  const purge = purgeOf(trials.outcomes, table.places);
  const embargo = flags.embargo ?? Math.ceil(EMBARGO * table.days);
  const groups = { rows: table.days, ...flags.cpcv, purge: purge.days, embargo };
  const { parameters } = present(plan.combinations[purge.place], 'combination');
  const layout = layOutSaying(
    groups,
    `the longest position was held for ${durationText(purge.longestHoldMs)}, by ${parametersText(parameters)}`,
  );
  const progress = new ProgressLine(context.stderr);
  try {
    const breathe = async (done: number): Promise<void> => {
      progress.show(`splits ${String(Math.floor(100 * done))} %`);
      await nextTurn();
      context.signal.throwIfAborted();
    };
    const validation = await validateSplits({ table, layout, objective, breathe });
    return { layout, purge, embargo, validation };
  } finally {
    progress.clear();
  }
}

/** Lays out the groups. @throws {DataError} `E_SAMPLE`, with the origin of the purge in the message. */
function layOutSaying(options: Parameters<typeof layOutCpcv>[0], why: string): Cpcv {
  try {
    return layOutCpcv(options);
  } catch (cause: unknown) {
    if (!(cause instanceof DataError)) throw cause;
    throw new DataError(cause.code, `${cause.message}; ${why}`, { cause });
  }
}
