import type { FinishedTrial } from '../trials/trial-schema.js';
import { isFeasible, type Constraint } from './constraint.js';
import type { Objective } from './objective.js';
import type { Costs } from './search-method.js';

/** Goal of a search. */
export interface Goal extends Objective {
  /** Second objective. With it the search looks for a front. */
  readonly against?: Objective | undefined;
  readonly constraints: readonly Constraint[];
}

/** The part of a goal that determines one figure. */
export interface RankingGoal extends Pick<Objective, 'name'> {
  /** @defaultValue none */
  readonly constraints?: readonly Constraint[] | undefined;
}

/** A figure to choose trials by, and the constraints that a chosen trial meets. */
export interface Choice extends Objective, RankingGoal {}

/** Outcome of a trial as ledgers and documents store it. */
type Ranked = { readonly status: 'failed' } | Pick<FinishedTrial, 'status' | 'statistics'>;

/** The figure that ranks a trial; null if the trial failed, breaks a constraint, or its sample cannot support the figure. */
export function figureOf(outcome: Ranked, { name, constraints = [] }: RankingGoal): number | null {
  if (outcome.status === 'failed') return null;
  const { statistics } = outcome;
  return isFeasible(constraints, (bound) => statistics[bound]) ? statistics[name] : null;
}

/** Costs of a trial, one per objective. If one figure is missing, all costs are Infinity. */
export function costsOf(outcome: Ranked, { against, ...goal }: Goal): Costs {
  const objectives = against === undefined ? [goal] : [goal, { ...goal, ...against }];
  const costs = objectives.map((objective) => {
    const figure = figureOf(outcome, objective);
    if (figure === null) return Infinity;
    return objective.best === 'largest' ? -figure : figure;
  });
  return costs.every(Number.isFinite) ? costs : costs.map(() => Infinity);
}
