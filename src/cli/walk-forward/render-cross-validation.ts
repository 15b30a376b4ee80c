import { nounOf } from '../../domain/index.js';
import {
  countText,
  durationText,
  instantText,
  percentText,
  ratioText,
} from '../../report/index.js';
import {
  constraintLines,
  describeSearch,
  figureText,
  parametersText,
  type CrossValidation,
} from '../../research/index.js';
import { formatTable, type TextColumn } from '../data/text-table.js';
import { daysText } from './render-walk-forward.js';

/** Most paths in the table; the document has all. */
const SHOWN = 20;

/** Describes a cross-validation for reading: each path, the bounds of all paths, and the chosen combinations. */
export function renderCrossValidation(document: CrossValidation, ledger: string): string {
  return [
    describeHead(document),
    describePaths(document),
    describeSpread(document),
    describeVerdict(document, ledger),
  ].join('\n');
}

function describeHead({ crossValidation, counts, paths, splits }: CrossValidation): string {
  const { strategy, instruments, groups, tested, days, from, to } = crossValidation;
  const { search, seed, objective, best, constraints } = crossValidation;
  return [
    `${strategy} on ${instruments.join(', ')}`,
    `${countText(splits.length)} splits of ${String(groups)} groups, ${String(tested)} tested in each: ${countText(paths.length)} ${nounOf(paths.length, 'path')} through ${daysText(days)} from ${instantText(from)} to ${instantText(to)}`,
    `${countText(counts.combinations)} ${nounOf(counts.combinations, 'combination')} of ${describeSearch(search, seed)}, ranked by ${objective} (the ${best} is the best)`,
    ...constraintLines(constraints),
    '',
  ].join('\n');
}

const right = (head: string): TextColumn => ({ head, align: 'right' });

function describePaths({ paths }: CrossValidation): string {
  const rows = paths
    .slice(0, SHOWN)
    .map(({ totalReturn, cagr, sharpe, maxDrawdown }, index) => [
      String(index + 1),
      percentText(totalReturn),
      percentText(cagr),
      ratioText(sharpe),
      percentText(maxDrawdown),
    ]);
  const more = paths.length - SHOWN;
  const table = formatTable(['path', 'return', 'a year', 'sharpe', 'drawdown'].map(right), rows);
  return `${table}${more > 0 ? `and ${countText(more)} more\n` : ''}`;
}

function describeSpread({ spread, crossValidation: { objective } }: CrossValidation): string {
  const of = (value: number): string => figureText(objective, value);
  const rows = [
    [`${objective} inside, of the splits`, spread.inside, of],
    [`${objective} outside, of the splits`, spread.outside, of],
    ['return of the paths', spread.totalReturn, percentText],
    ['sharpe of the paths', spread.sharpe, ratioText],
    ['drawdown of the paths', spread.maxDrawdown, percentText],
  ] as const;
  return formatTable(
    [{ head: '', align: 'left' }, ...['5 %', '25 %', '50 %', '75 %', '95 %'].map(right)],
    rows.map(([name, found, text]) => [
      name,
      ...(['p5', 'p25', 'p50', 'p75', 'p95'] as const).map((bound) =>
        found === null ? 'n/a' : text(found[bound]),
      ),
    ]),
  );
}

function describeVerdict(document: CrossValidation, ledger: string): string {
  const lines = [
    ...describePurge(document),
    `Losing     ${countText(document.losing)} of ${countText(document.paths.length)} ${nounOf(document.paths.length, 'path')} end with a loss`,
    ...describeChosen(document),
    ...describeLeftOut(document),
    ...describeNotSame(document),
    'Runs       each combination ran once over the whole range: a path takes its days from several runs, without costs of changes between them',
    `Ledger     ${ledger}`,
  ];
  return `${lines.join('\n')}\n`;
}

function describePurge({ crossValidation }: CrossValidation): readonly string[] {
  const { purge, embargo, longestHold } = crossValidation;
  return [
    `Purge      ${daysText(purge)} on both sides of each tested block: the longest position was held for ${durationText(longestHold.time)}, by ${parametersText(longestHold.parameters)}; embargo ${daysText(embargo)} after it`,
  ];
}

function describeChosen({ chosen, splits }: CrossValidation): readonly string[] {
  const [most] = chosen;
  if (most === undefined) return [];
  return [
    `Chosen     ${countText(chosen.length)} ${nounOf(chosen.length, 'combination')}; most often ${parametersText(most.parameters)}, in ${countText(most.splits)} of ${countText(splits.length)} splits`,
  ];
}

function describeLeftOut({ counts }: CrossValidation): readonly string[] {
  const parts = [
    [counts.failed, 'failed'],
    [counts.withoutReturns, 'without daily returns'],
    [counts.otherDays, 'with missing days'],
  ] as const;
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, why]) => `${countText(count)} ${why}`);
  return said.length === 0 ? [] : [`Left out   ${said.join(', ')}`];
}

function describeNotSame({ warnings, differences }: CrossValidation): readonly string[] {
  return [
    ...warnings.map((warning) => `Warning    ${warning}`),
    ...differences.map(
      ({ parameters }) =>
        `Differs    ${parametersText(parameters)} gives another result alone: earlier runs affect it (E_SWEEP_DIFFERS)`,
    ),
  ];
}
