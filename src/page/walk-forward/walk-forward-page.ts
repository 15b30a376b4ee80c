import { nounOf } from '../../domain/index.js';
import { instantText, percentText, ratioText } from '../../report/index.js';
import {
  constraintLines,
  describeLuckOfWalk,
  figureText,
  type Significance,
  type WalkForward,
  type WalkForwardFold,
} from '../../research/index.js';
import type { PageFigure, PageNote, WalkForwardPage } from '../page-data.js';
import { bandOf, buildPageSignificance } from '../significance/significance-part.js';
import { noteTroubles } from '../trouble-notes.js';

/** Makes the page of a walk-forward. It computes no figure: all figures come from the document, and from `significance` (a judgment of its search). */
export function buildWalkForwardPage(
  walk: WalkForward,
  significance?: Significance,
): WalkForwardPage {
  const { luck } = walk.outside;
  return {
    kind: 'walk-forward',
    title: titleOf(walk),
    figures: figuresOf(walk),
    notes: notesOf(walk),
    curve: walk.curve.map(({ time, value }) => [time, value] as const),
    starts: walk.folds.map(({ test }) => test.from),
    folds: foldsOf(walk),
    drift: {
      head: ['Parameter', 'Changes', 'Mean change, share of range'],
      rows: walk.drift.map(({ name, changes, drift }) => [
        name,
        String(changes),
        percentText(drift),
      ]),
    },
    bands:
      luck === null
        ? []
        : bandOf('DSR of the tests, editions of 2014 and 2026', luck.dsr2014, luck.dsr2026),
    significance: significance === undefined ? null : buildPageSignificance(significance),
  };
}

function titleOf({ walkForward, folds }: WalkForward): readonly string[] {
  const { strategy, instruments, window, train, test, step, objective, best, constraints } =
    walkForward;
  return [
    `${strategy} on ${instruments.join(', ')}`,
    `${String(folds.length)} ${window} ${nounOf(folds.length, 'fold')} from ${instantText(walkForward.from)} to ${instantText(walkForward.to)}: ${String(train)} training days, ${String(test)} test days, step ${String(step)}`,
    `Chosen by ${objective} (${best} is best) on the training days`,
    ...constraintLines(constraints),
  ];
}

function figuresOf({ outside, folds }: WalkForward): readonly PageFigure[] {
  return [
    { label: 'Return of all tests', value: percentText(outside.totalReturn) },
    { label: 'A year, outside', value: percentText(outside.annualReturn) },
    { label: 'A year, inside', value: percentText(outside.insideAnnualReturn) },
    { label: 'Efficiency', value: ratioText(outside.efficiency) },
    { label: 'Sharpe', value: ratioText(outside.sharpe) },
    { label: 'Drawdown, by days', value: percentText(outside.maxDrawdown) },
    {
      label: 'Profitable folds',
      value: `${String(outside.profitable)} of ${String(folds.length)}`,
    },
  ];
}

function notesOf(walk: WalkForward): readonly PageNote[] {
  const luck = describeLuckOfWalk(walk);
  return [
    ...(luck === undefined ? [] : [{ label: 'Luck', lines: [luck] }]),
    ...noteTroubles(walk, 'test'),
  ];
}

function foldsOf({ walkForward, folds }: WalkForward): WalkForwardPage['folds'] {
  const { axes, objective } = walkForward;
  const figure = (run: WalkForwardFold['inside']): string =>
    figureText(objective, run.statistics[objective]);
  return {
    head: [
      ...['Fold', 'Test from', ...axes.map(({ name }) => name)],
      ...[`${objective} inside`, `${objective} outside`, 'A year inside', 'A year outside'],
      ...['Return outside', 'Trades outside'],
    ],
    rows: folds.map(({ test, parameters, inside, outside }, index) => [
      String(index + 1),
      instantText(test.from),
      ...axes.map(({ name }) => String(parameters[name])),
      figure(inside),
      figure(outside),
      percentText(inside.annualReturn),
      percentText(outside.annualReturn),
      percentText(outside.statistics.totalReturn),
      String(outside.statistics.trades),
    ]),
  };
}
