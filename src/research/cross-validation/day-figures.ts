import { DAY_MS, fixedFromNumber, UsageError } from '../../domain/index.js';
import { compoundAnnualGrowth, figuresOfReturns } from '../../report/index.js';
import { walkPath } from '../monte-carlo/walk-paths.js';
import type { BoundFigure, FigureConstraint, ParameterConstraint } from '../search/constraint.js';
import type { Choice } from '../search/goal.js';
import type { Objective, ObjectiveName } from '../search/objective.js';

/** Figures that follow from daily returns alone, for any set of days. */
const DAY_FIGURES = [
  'totalReturn',
  'cagr',
  'volatility',
  'sharpe',
  'sortino',
  'calmar',
  'maxDrawdown',
] as const satisfies readonly ObjectiveName[];
export type DayFigureName = (typeof DAY_FIGURES)[number];

/** Figures of days by the definitions of a result's statistics, except that the drawdown is by days; null if the days cannot support a figure. */
export type DayFigures = Readonly<Record<DayFigureName, number | null>>;

interface DayObjective extends Objective {
  readonly name: DayFigureName;
}

/** An objective of days, and the constraints that a chosen trial meets on them. */
export interface DayChoice extends DayObjective {
  /** @defaultValue none */
  readonly constraints?: readonly (ParameterConstraint | FigureConstraint<DayFigureName>)[];
}

/** @throws {UsageError} `E_USAGE` for a figure of trades: single days of a run have no trades of their own. */
export function dayChoiceOf({ name, best, constraints = [] }: Choice): DayChoice {
  if (!isDayFigure(name)) return refuseFigure('--objective', name);
  return {
    name,
    best,
    constraints: constraints.map((constraint) => {
      if (constraint.kind === 'parameters') return constraint;
      const { left } = constraint;
      return isDayFigure(left) ? { ...constraint, left } : refuseFigure('--constraint', left);
    }),
  };
}

function refuseFigure(flag: string, name: string): never {
  throw new UsageError(
    'E_USAGE',
    `--cpcv ranks by daily returns: expected ${flag} ${DAY_FIGURES.join(', ')}, received ${name}`,
  );
}

function isDayFigure(name: BoundFigure): name is DayFigureName {
  return (DAY_FIGURES as readonly BoundFigure[]).includes(name);
}

/** One figure of daily returns. The days follow one another as if no time lay between them. */
export function figureOfDays(name: DayFigureName, returns: readonly number[]): number | null {
  switch (name) {
    case 'volatility':
    case 'sharpe':
    case 'sortino':
      return figuresOfReturns(returns)[name];
    case 'totalReturn':
    case 'maxDrawdown':
      return pathOf(returns)[name];
    case 'cagr':
      return growthOf(returns);
    case 'calmar': {
      const [growth, { maxDrawdown }] = [growthOf(returns), pathOf(returns)];
      return growth === null || maxDrawdown === 0 ? null : growth / maxDrawdown;
    }
  }
}

/** All figures of daily returns. */
export function figuresOfDays(returns: readonly number[]): DayFigures {
  const entries = DAY_FIGURES.map((name) => [name, figureOfDays(name, returns)] as const);
  return Object.fromEntries(entries) as DayFigures;
}

function pathOf(returns: readonly number[]): ReturnType<typeof walkPath> {
  return walkPath(Float64Array.from(returns), [...returns.keys()]);
}

/** Annual growth; null with fewer than 30 daily returns, or if all are equal. */
function growthOf(returns: readonly number[]): number | null {
  if (figuresOfReturns(returns).volatility === null) return null;
  return compoundAnnualGrowth({
    initialEquity: fixedFromNumber(1),
    finalEquity: fixedFromNumber(1 + pathOf(returns).totalReturn),
    durationMs: returns.length * DAY_MS,
  });
}
