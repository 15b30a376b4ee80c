import { nounOf } from '../../domain/index.js';
import { countText, instantText, percentText, ratioText } from '../../report/index.js';
import {
  constraintLines,
  describeLuckOfWalk,
  describeSearch,
  figureText,
  hasFigureConstraint,
  parametersText,
  type WalkForward,
  type WalkForwardFold,
} from '../../research/index.js';
import { formatTable, type TextColumn } from '../data/text-table.js';

/** Describes a walk for reading: each fold, all tests joined together, and what they show about the choice of parameters. */
export function renderWalkForward(
  walk: WalkForward,
  { ledger }: { readonly ledger: string },
): string {
  return [describeHead(walk), describeFolds(walk), describeVerdict(walk, ledger)].join('\n');
}

function describeHead({ walkForward, folds }: WalkForward): string {
  const { strategy, instruments, window, train, test, step, objective, best } = walkForward;
  const { search, seed, constraints } = walkForward;
  const combinations = folds[0]?.counts.combinations ?? 0;
  return [
    `${strategy} on ${instruments.join(', ')}`,
    `${countText(folds.length)} ${window} ${nounOf(folds.length, 'fold')} from ${instantText(walkForward.from)} to ${instantText(walkForward.to)}: ${daysText(train)} to train, ${daysText(test)} to test, in steps of ${daysText(step)}`,
    `${countText(combinations)} ${nounOf(combinations, 'combination')} of ${describeSearch(search, seed)} in each, ranked by ${objective} (the ${best} is the best)`,
    ...constraintLines(constraints),
    '',
  ].join('\n');
}

function describeFolds({ walkForward, folds }: WalkForward): string {
  const { objective, axes } = walkForward;
  const right = (head: string): TextColumn => ({ head, align: 'right' });
  const columns = [
    right('#'),
    right('test from'),
    ...axes.map(({ name }) => right(name)),
    ...[`${objective} in`, `${objective} out`].map(right),
    ...['a year in', 'a year out', 'return out', 'trades out'].map(right),
  ];
  const rows = folds.map(({ test, parameters, inside, outside }, index) => [
    String(index + 1),
    instantText(test.from),
    ...axes.map(({ name }) => String(parameters[name])),
    figureText(objective, inside.statistics[objective]),
    figureText(objective, outside.statistics[objective]),
    percentText(inside.annualReturn),
    percentText(outside.annualReturn),
    percentText(outside.statistics.totalReturn),
    countText(outside.statistics.trades),
  ]);
  return formatTable(columns, rows);
}

function describeVerdict(walk: WalkForward, ledger: string): string {
  const lines = [
    ...describeOutside(walk),
    ...describeDrift(walk),
    ...luckLines(walk),
    ...describeFailures(walk),
    ...describeNotSame(walk),
    'Ends       each part starts with the balances of the file; positions that are open at its end are closed with taker costs',
    `Ledger     ${ledger}`,
  ];
  return `${lines.join('\n')}\n`;
}

function describeOutside({ outside, folds }: WalkForward): readonly string[] {
  const { totalReturn, annualReturn, insideAnnualReturn, sharpe, maxDrawdown } = outside;
  const years = `${percentText(annualReturn)} a year outside ÷ ${percentText(insideAnnualReturn)} inside`;
  return [
    `Outside    ${percentText(totalReturn)} in all tests, sharpe ${ratioText(sharpe)}, drawdown ${percentText(maxDrawdown)} by days`,
    `Efficiency ${outside.efficiency === null ? `unknown: ${years}` : `${ratioText(outside.efficiency)}: ${years}`}`,
    `Profitable ${String(outside.profitable)} of ${String(folds.length)} ${nounOf(folds.length, 'fold')}`,
  ];
}

function describeDrift({ drift, folds }: WalkForward): readonly string[] {
  const steps = folds.length - 1;
  if (steps === 0) return [];
  return drift.map(
    ({ name, changes, drift: share }) =>
      `Drift      ${name} changes at ${String(changes)} of ${String(steps)} ${nounOf(steps, 'step')}, by ${percentText(share)} of its range on average`,
  );
}

function luckLines(walk: WalkForward): readonly string[] {
  const luck = describeLuckOfWalk(walk);
  return luck === undefined ? [] : [`Luck       ${luck}`];
}

function describeFailures({ walkForward, folds }: WalkForward): readonly string[] {
  const sum = (key: keyof WalkForwardFold['counts']): number =>
    folds.reduce((total, { counts }) => total + counts[key], 0);
  const failed = sum('failed');
  const left = sum('idle') + sum('unranked');
  const breaks = hasFigureConstraint(walkForward.constraints) ? ', break a constraint' : '';
  return [
    ...(failed > 0
      ? [`Failed     ${countText(failed)} of ${countText(sum('combinations'))} training runs`]
      : []),
    ...(left > 0
      ? [
          `Left out   ${countText(left)} ${nounOf(left, 'training run')} that did not trade${breaks} or have no figure`,
        ]
      : []),
  ];
}

function describeNotSame({ warnings, differences }: WalkForward): readonly string[] {
  return [
    ...warnings.map((warning) => `Warning    ${warning}`),
    ...differences.map(
      ({ index, parameters }) =>
        `Differs    the test of fold ${String(index + 1)}, ${parametersText(parameters)}, gives another result alone: earlier runs affect it (E_SWEEP_DIFFERS)`,
    ),
  ];
}

export function daysText(days: number): string {
  return `${countText(days)} ${nounOf(days, 'day')}`;
}
