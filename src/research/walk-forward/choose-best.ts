import { DataError } from '../../domain/index.js';
import { hasFigureConstraint } from '../search/constraint.js';
import { figureOf, type Choice } from '../search/goal.js';
import { compareFigures } from '../search/objective.js';
import type { TrialOutcome } from '../trials/trial-schema.js';

/** Counts of the combinations of a training part by outcome. */
interface TrainCounts {
  readonly combinations: number;
  readonly failed: number;
  /** Finished without a trade. */
  readonly idle: number;
  /** Traded, but have no figure for the objective, or break a constraint. */
  readonly unranked: number;
}

export function countTraining(outcomes: readonly TrialOutcome[], objective: Choice): TrainCounts {
  const counts = { combinations: outcomes.length, failed: 0, idle: 0, unranked: 0 };
  for (const outcome of outcomes) {
    if (outcome.status === 'failed') counts.failed += 1;
    else if (outcome.fills === 0) counts.idle += 1;
    else if (figureOf(outcome, objective) === null) counts.unranked += 1;
  }
  return counts;
}

/**
 * Index of the best combination that traded; of equal ones the first.
 *
 * @param where names the fold in the error.
 * @throws {DataError} `E_FOLD_EMPTY` when none has traded and has a figure.
 */
export function chooseBest(
  outcomes: readonly TrialOutcome[],
  objective: Choice,
  where: string,
): number {
  let best = -1;
  let bestFigure: number | null = null;
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'failed' || outcome.fills === 0) continue;
    const figure = figureOf(outcome, objective);
    if (figure === null || (best >= 0 && compareFigures(figure, bestFigure, objective) >= 0))
      continue;
    best = index;
    bestFigure = figure;
  }
  if (best >= 0) return best;
  const { combinations, failed, idle, unranked } = countTraining(outcomes, objective);
  const { name, constraints = [] } = objective;
  const isBound = hasFigureConstraint(constraints);
  const [keeps, breaks] = isBound
    ? [', keeps the constraints', 'break a constraint or have']
    : ['', 'have'];
  const [first] = outcomes.flatMap((outcome) =>
    outcome.status === 'failed' ? [outcome.message] : [],
  );
  throw new DataError(
    'E_FOLD_EMPTY',
    `${where}: expected a combination that traded${keeps} and has a ${name}, received none of ${String(combinations)}: ${String(failed)} failed, ${String(idle)} did not trade, ${String(unranked)} ${breaks} no ${name}${adviceFor({ idle, unranked, isBound })}${first === undefined ? '' : `; the first that failed: ${first}`}`,
  );
}

interface Shortfall extends Pick<TrainCounts, 'idle' | 'unranked'> {
  readonly isBound: boolean;
}

function adviceFor({ idle, unranked, isBound }: Shortfall): string {
  const [train, trades, goal] = [
    'a longer --train',
    'parameters with which it trades',
    isBound ? 'another --constraint or --objective' : 'another --objective',
  ];
  if (idle > 0 && unranked > 0) return `; take ${train}, ${trades}, or ${goal}`;
  if (idle > 0) return `; take ${train}, or ${trades}`;
  return unranked > 0 ? `; take ${train}, or ${goal}` : '';
}
