import type { FinishedTrial } from '../trials/trial-schema.js';
import { isFeasible, type Constraint } from './constraint.js';
import type { Objective } from './objective.js';
import type { Costs } from './search-method.js';

/** What a search looks for. */
export interface Goal extends Objective {
  /** A second objective: what is looked for is then a front. */
  readonly against?: Objective | undefined;
  readonly constraints: readonly Constraint[];
}

/** The part of a goal that one figure depends on. */
export interface Ranking extends Pick<Objective, 'name'> {
  /** @defaultValue none */
  readonly constraints?: readonly Constraint[] | undefined;
}

/** What a trial is ranked on, as ledgers and documents have it. */
type Ranked = { readonly status: 'failed' } | Pick<FinishedTrial, 'status' | 'statistics'>;

/** The figure by which a trial is ranked; null when it failed, breaks a constraint, or its sample cannot carry it. */
export function figureOf(outcome: Ranked, { name, constraints = [] }: Ranking): number | null {
  if (outcome.status === 'failed' || !isFeasible(constraints, outcome)) return null;
  return outcome.statistics[name];
}

/** What a trial costs by each objective of a goal; Infinity by all where it has no figure for one of them. */
export function costsOf(outcome: Ranked, { against, ...goal }: Goal): Costs {
  const objectives = against === undefined ? [goal] : [goal, { ...goal, ...against }];
  const costs = objectives.map((objective) => {
    const figure = figureOf(outcome, objective);
    if (figure === null) return Infinity;
    return objective.best === 'largest' ? -figure : figure;
  });
  return costs.every(Number.isFinite) ? costs : costs.map(() => Infinity);
}
