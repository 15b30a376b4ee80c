import { present } from '../../domain/index.js';
import type { SearchName } from '../search/search-names.js';
import { findFront } from '../search/front.js';
import { costsOf, figureOf, type Goal, type RankingGoal } from '../search/goal.js';
import { compareFigures } from '../search/objective.js';
import { findPeak } from '../search/peak.js';
import { compareOutcomes, type TrialDifference } from '../repeat-trials.js';
import type { SearchSpace } from '../search/search-space.js';
import type { SweepPlan } from '../sweep.js';
import type { TrialOutcome } from '../trials/trial-schema.js';
import { describeAxis, fixedParameters, placeOf } from './describe-search.js';
import { SWEEP_VERSION, type Sweep, type SweepTrial } from './sweep-schema.js';

interface BuildSweepOptions {
  readonly plan: SweepPlan;
  readonly space: SearchSpace;
  readonly method: SearchName;
  /** Seed of the search; undefined for a grid. */
  readonly seed: number | undefined;
  readonly goal: Goal;
  /** Number of trials in a row without an improvement that ends the search; undefined if it runs to its end. */
  readonly stopAfter?: number | undefined;
  /** Number of combinations of each generation. */
  readonly generations: readonly number[];
  /** One per combination, in the same order. */
  readonly outcomes: readonly TrialOutcome[];
  /** Findings in the text of the plugin. @defaultValue nothing */
  readonly warnings?: readonly string[] | undefined;
  /** Combinations with another outcome when they were run alone. @defaultValue none */
  readonly differences?: readonly TrialDifference[] | undefined;
}

/** Builds the document of a sweep. The document does not depend on how the sweep ran: neither jobs nor interruptions change a byte. */
export function buildSweep(options: BuildSweepOptions): Sweep {
  const { plan, goal, outcomes, warnings = [], differences = [] } = options;
  const figures = outcomes.map((outcome) => figureOf(outcome, goal));
  const finished = outcomes.filter(({ status }) => status === 'finished').length;
  return {
    version: SWEEP_VERSION,
    sweep: describeSearch(options),
    counts: {
      combinations: outcomes.length,
      finished,
      failed: outcomes.length - finished,
      unranked: finished - figures.filter((figure) => figure !== null).length,
    },
    warnings: [...warnings],
    differences: differences.map(({ index, alone }) => ({
      ...placeOf(plan, index),
      figures: [...compareOutcomes(present(outcomes[index], 'outcome'), alone)],
    })),
    best: describeBest(options, figures),
    front:
      goal.against === undefined
        ? null
        : [...findFront(outcomes.map((outcome) => costsOf(outcome, goal)))],
    trials: outcomes.map((outcome, index) => ({ ...placeOf(plan, index), ...outcome })),
  };
}

function describeSearch({
  plan: { config, inputs },
  ...options
}: BuildSweepOptions): Sweep['sweep'] {
  const { space, method, seed, goal, stopAfter, generations } = options;
  return {
    strategy: inputs.strategy,
    instruments: config.instruments.map(({ instrumentId }) => instrumentId),
    parameters: fixedParameters({ config }, space),
    source: inputs.source,
    ground: inputs.ground,
    data: inputs.data,
    engine: inputs.engine,
    search: method,
    seed: seed ?? null,
    generations: [...generations],
    stopAfter: stopAfter ?? null,
    axes: space.map(describeAxis),
    objective: goal.name,
    best: goal.best,
    against: goal.against ?? null,
    constraints: goal.constraints.map((constraint) => ({ ...constraint })),
  };
}

/** The trials of a sweep from the best to the worst. Trials without a figure are last. Equal trials keep their order. */
export function rankTrials({ sweep, trials }: Sweep): readonly SweepTrial[] {
  const objective = rankingOf(sweep);
  return trials.toSorted((a, b) =>
    compareFigures(figureOf(a, objective), figureOf(b, objective), sweep),
  );
}

/** Ranking of the trials of a document. */
function rankingOf({ objective, constraints }: Sweep['sweep']): RankingGoal {
  return { name: objective, constraints };
}

function describeBest(
  { plan, space, goal }: BuildSweepOptions,
  figures: readonly (number | null)[],
): Sweep['best'] {
  const { combinations } = plan;
  const peak = findPeak(space, combinations, figures, goal);
  if (peak === undefined) return null;
  const { index, figure, median, neighbors, neighborMedian, kind, edges } = peak;
  return {
    index,
    parameters: present(combinations[index], 'best combination').parameters,
    figure,
    median,
    neighbors: neighbors.map((at) => ({ index: at, figure: figures[at] ?? null })),
    neighborMedian,
    peak: kind,
    edges: [...edges],
  };
}
