import { DataError, present } from '../../domain/index.js';
import { compareFigures } from '../search/objective.js';
import type { Cpcv, CpcvSplit } from '../statistics/cpcv.js';
import type { TrialReturns } from '../statistics/trial-returns.js';
import { hasFigureConstraint, isFeasible } from '../search/constraint.js';
import { figureOfDays, figuresOfDays, type DayChoice, type DayFigures } from './day-figures.js';

/** Outcome of a split. */
export interface ValidatedSplit {
  /** Column of the best trial on the training days. */
  readonly chosen: number;
  /** Figures of that trial on the training days. */
  readonly inside: DayFigures;
  /** Figures of that trial on the tested days. */
  readonly outside: DayFigures;
}

/** One path through all days. In each group it follows the trial that was chosen without this group. */
interface ValidatedPath {
  /** Column of the chosen trial, by group. */
  readonly chosen: readonly number[];
  readonly figures: DayFigures;
}

export interface Validation {
  /** One per split of the layout. */
  readonly splits: readonly ValidatedSplit[];
  /** One per path of the layout. */
  readonly paths: readonly ValidatedPath[];
}

interface ValidateOptions {
  readonly table: TrialReturns;
  readonly layout: Cpcv;
  readonly objective: DayChoice;
  /** Called before each split. It may throw, which ends the work. @defaultValue nothing */
  readonly breathe?: ((done: number) => Promise<void>) | undefined;
}

/**
 * Chooses in each split the best trial on the training days, and computes its figures on the tested days. Then joins the tested groups into paths. The work
 * is splits × trials × days.
 *
 * @throws {DataError} `E_FOLD_EMPTY` when no trial of a split moved on the days to train on and has a figure there.
 * @see Source: López de Prado 2018, Advances in Financial Machine Learning, ch. 12
 */
export async function validateSplits(options: ValidateOptions): Promise<Validation> {
  const { table, layout, breathe } = options;
  const splits: ValidatedSplit[] = [];
  for (const [index, split] of layout.splits.entries()) {
    await breathe?.(index / layout.splits.length);
    splits.push(validateSplit(options, split, index));
  }
  const paths = layout.paths.map((splitOf) => {
    const parts = splitOf.map((place, group) => {
      const { chosen } = present(splits[place], 'split of a path');
      const { start, end } = present(layout.groups[group], 'group');
      return { chosen, returns: [...columnOf(table, chosen).subarray(start, end)] };
    });
    return {
      chosen: parts.map(({ chosen }) => chosen),
      figures: figuresOfDays(parts.flatMap(({ returns }) => returns)),
    };
  });
  return { splits, paths };
}

function validateSplit(
  { table, objective }: ValidateOptions,
  split: CpcvSplit,
  index: number,
): ValidatedSplit {
  let chosen = -1;
  let best: number | null = null;
  for (const column of table.columns.keys()) {
    const returns = returnsAt(table, column, split.train);
    if (returns.every((value) => value === 0)) continue;
    const figure = rankingFigure(objective, returns);
    if (figure === null || (chosen >= 0 && compareFigures(figure, best, objective) >= 0)) continue;
    [chosen, best] = [column, figure];
  }
  if (chosen < 0) {
    const groups = split.groups.map((group) => String(group + 1)).join(', ');
    const [keeps, other] = hasFigureConstraint(objective.constraints)
      ? [' that keeps the constraints', '--constraint or --objective']
      : ['', '--objective'];
    throw new DataError(
      'E_FOLD_EMPTY',
      `split ${String(index + 1)}, groups ${groups} tested: expected a trial with nonzero returns${keeps} and a ${objective.name} on the ${String(split.train.length)} training days, received none of ${String(table.columns.length)}; use a longer range (--from, --to), fewer groups to test, parameters that trade, or another ${other}`,
    );
  }
  return {
    chosen,
    inside: figuresOfDays(returnsAt(table, chosen, split.train)),
    outside: figuresOfDays(returnsAt(table, chosen, split.test)),
  };
}

/** The objective on some days; null if the days break a constraint. */
function rankingFigure(
  { name, constraints = [] }: DayChoice,
  returns: readonly number[],
): number | null {
  const keeps = isFeasible(constraints, (bound) => figureOfDays(bound, returns));
  return keeps ? figureOfDays(name, returns) : null;
}

function returnsAt(table: TrialReturns, column: number, rows: Int32Array): readonly number[] {
  const values = columnOf(table, column);
  return Array.from(rows, (row) => values[row] ?? Number.NaN);
}

function columnOf({ columns }: TrialReturns, column: number): Float64Array {
  return present(columns[column], 'column of a trial');
}
