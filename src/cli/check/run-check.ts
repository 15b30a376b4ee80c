import path from 'node:path';
import { listActiveChecks, type TwiceRun } from '../../assembly/backtest/index.js';
import { formatUtc, nounOf } from '../../domain/index.js';
import { describeCallNeed, listCallWarnings, type CallNeed } from '../../report/index.js';
import { describeExpected, STRATEGY } from '../../strategy/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { checkStops, describeStops, type StopCheck } from '../live/describe-stops.js';
import { checkBudgets, describeBudget, type BudgetCheck } from '../../bots/index.js';
import { checkDeterminism, type DeterminismCheck } from './check-determinism.js';
import { checkData, type DataCheck, type SeriesCheck } from './check-data.js';
import { checkVenue, describeVenueCheck, type VenueCheck } from './check-venue.js';
import { checkTypesInThread } from './check-types-in-thread.js';
import type { TypeCheck } from './check-types.js';
import { describeEndless, describeWarmup } from './describe-warmups.js';
import {
  describeIdleProtections,
  describeTypeFindings,
  describeUnservedIntervals,
} from './describe-findings.js';
import { summarizeCheck } from './summarize-check.js';
import type { BotFlags } from '../bot/bot-options.js';

/** Options of `check`, as commander parses them. */
export interface CheckFlags extends BotFlags {
  readonly online?: boolean;
}

/**
 * Runs `check`. A problem that makes a bot unusable is thrown; a problem that a bot would still run with is a finding. Limits that several
 * bots share are checked for all of them together.
 */
export async function runCheck(
  files: readonly string[],
  flags: CheckFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const bots = await Promise.all(files.map((file) => loadBot(file, context, flags)));
  const together: Together = { ...checkBudgets(bots), stops: checkStops(bots) };
  const checked: Checked[] = [];
  for (const [index, bot] of bots.entries())
    checked.push(
      await checkBot(bot, index === bots.length - 1 ? together : undefined, {
        context,
        isOnline: flags.online === true,
      }),
    );
  if (flags.json !== undefined) await writeOutput(flags.json, renderJson(checked), context);
  if (flags.json !== '-')
    context.stdout.write(checked.map((one) => renderText(one, context)).join('\n'));
  if (checked.some(({ findings }) => findings.length > 0)) context.setExitCode(3);
}

/** What the bots need and share together. */
interface Together extends BudgetCheck {
  readonly stops: StopCheck;
}

/** Checks one bot. The caller gives `together` with the last bot only. */
async function checkBot(
  bot: LoadedBot,
  together: Together | undefined,
  { context, isOnline }: { readonly context: CliContext; readonly isOnline: boolean },
): Promise<Checked> {
  const { checkTypes = checkTypesInThread, signal } = context;
  const venue = isOnline ? await checkVenue(bot, context) : undefined;
  const { budgets = [], problems = [], stops } = together ?? {};
  const types = await checkTypes(bot.config.strategy.path, signal);
  const data = await checkData(bot, signal);
  const determinism = await checkDeterminism(bot, {
    wouldBegin: data.findings.length === 0,
    context,
  });
  const findings = [
    ...describeTypeFindings(types, context),
    ...determinism.findings,
    ...describeIdleProtections(bot),
    ...describeUnservedIntervals(bot),
    ...(venue?.findings ?? []),
    ...[...data.findings, ...problems].flatMap((finding) => describeError(finding).lines),
  ];
  return { bot, types, data, determinism, budgets, stops, venue, findings };
}

interface Checked {
  readonly bot: LoadedBot;
  readonly types: TypeCheck;
  readonly data: DataCheck;
  readonly determinism: DeterminismCheck;
  readonly budgets: BudgetCheck['budgets'];
  readonly stops: StopCheck | undefined;
  /** Undefined without `--online`. */
  readonly venue: VenueCheck | undefined;
  readonly findings: readonly string[];
}

function renderText(
  { bot, types, data, determinism, budgets, stops, venue, findings }: Checked,
  { cwd }: CliContext,
): string {
  const { config, plugin } = bot;
  const declared = Object.entries(plugin.strategyClass[STRATEGY].parameters);
  const lines = [
    `strategy    ${plugin.name} from ${path.relative(cwd, config.strategy.path)}`,
    `types       ${describeTypes(types)}`,
    ...declared.map(([name, declaration]) => {
      const value = String(config.strategy.parameters[name] ?? declaration.defaultValue);
      const meaning = declaration.description === '' ? '' : `; ${declaration.description}`;
      return `parameter   ${name} ${value} (${describeExpected(declaration)}${meaning})`;
    }),
    ...[...listActiveChecks(config, bot.rules)].flatMap(([instrument, checks]) =>
      checks.map(({ name, limit }) => `check       ${instrument} ${name}: ${limit}`),
    ),
    ...data.series.map((series) => `data        ${describeSeriesCheck(series)}`),
    ...budgets.map(
      (budget) =>
        `budget      ${budget.name}: ${describeBudget(budget)}, of at most ${String(budget.mostPerMinute)} and ${String(budget.staleAfterMs / 1_000)} s`,
    ),
    ...(stops === undefined ? [] : describeStops(stops.plan)).map((line) => `stops       ${line}`),
    `run twice   ${describeTwice(determinism)}`,
    ...listWarmups(determinism).map((warmup) => `warm-up     ${describeWarmup(warmup)}`),
    ...listCalls(determinism).map((need) => `calls       ${describeCallNeed(need)}`),
    ...listCallWarnings(listCalls(determinism)).map((warning) => `note        ${warning}`),
    ...listWarmups(determinism)
      .flatMap(describeEndless)
      .map((note) => `note        ${note}`),
    ...[...determinism.notes, ...(stops?.notes ?? [])].map((note) => `note        ${note}`),
    ...(venue === undefined ? [] : describeVenueCheck(venue, cwd)),
    ...findings.map((finding) => `finding     ${finding}`),
    summarizeCheck(findings.length, listSkipped({ types, determinism })),
  ];
  return `${lines.join('\n')}\n`;
}

function listWarmups({ twice }: DeterminismCheck): TwiceRun['warmups'] {
  return 'skipped' in twice ? [] : twice.warmups;
}

/** The calls that the short run would have needed at a live venue, against its limits. */
function listCalls({ twice }: DeterminismCheck): readonly CallNeed[] {
  return 'skipped' in twice ? [] : twice.calls;
}

function describeTwice({ twice }: DeterminismCheck): string {
  if ('skipped' in twice) return `not done: ${twice.skipped}`;
  const { from, to, candles, commands, difference } = twice;
  const range = `${String(candles)} ${nounOf(candles, 'candle')} from ${formatUtc(from)} to ${formatUtc(to)}`;
  if (difference !== undefined) return `${range}: not the same`;
  return commands === 0
    ? `${range}: no orders, so nothing to compare`
    : `${range}: the same ${nounOf(commands, 'order or cancel', `${String(commands)} orders and cancels`)}`;
}

function describeTypes(types: TypeCheck): string {
  if (types.status === 'none') return 'JavaScript has none';
  if (types.status === 'skipped') return `not checked: ${types.reason}`;
  return types.findings.length === 0 ? 'checked' : `errors: ${String(types.findings.length)}`;
}

function listSkipped({
  types,
  determinism,
}: Pick<Checked, 'types' | 'determinism'>): readonly string[] {
  return [
    ...(types.status === 'skipped' ? ['types'] : []),
    ...('skipped' in determinism.twice ? ['run twice'] : []),
  ];
}

function describeSeriesCheck({ gaps, missing, madeFrom, ...series }: SeriesCheck): string {
  const range = `${formatUtc(series.first)} to ${formatUtc(series.last)}`;
  const holes = gaps === 0 ? 'no gaps' : `gaps: ${String(gaps)}, missing: ${String(missing)}`;
  const made = madeFrom === undefined ? '' : `, made of those of ${madeFrom}`;
  return `${series.instrument} ${series.interval}: ${String(series.candles)} ${nounOf(series.candles, 'candle')} opening ${range}, ${holes}${made}`;
}

/** Writes one bot as an object, several as a list. */
function renderJson(checked: readonly Checked[]): string {
  const [first, ...others] = checked.map(resultOf);
  return `${JSON.stringify(others.length === 0 ? first : [first, ...others], undefined, 2)}\n`;
}

function resultOf({
  bot,
  types,
  data,
  determinism,
  budgets,
  stops,
  venue,
  findings,
}: Checked): object {
  const { config, plugin } = bot;
  return {
    name: config.name,
    strategy: plugin.name,
    sourceHash: plugin.sourceHash,
    types: types.status === 'skipped' ? { ...types } : { status: types.status },
    parameters: Object.fromEntries(
      Object.entries(plugin.strategyClass[STRATEGY].parameters).map(([name, declaration]) => [
        name,
        {
          value: config.strategy.parameters[name] ?? declaration.defaultValue,
          expected: describeExpected(declaration),
        },
      ]),
    ),
    checks: Object.fromEntries(listActiveChecks(config, bot.rules)),
    data: data.series,
    runTwice: determinism.twice,
    notes: [...determinism.notes, ...(stops?.notes ?? [])],
    budgets,
    stops: stops?.plan ?? null,
    ...(venue && { online: { steps: venue.steps, profile: venue.profile } }),
    skipped: listSkipped({ types, determinism }),
    findings,
  };
}
