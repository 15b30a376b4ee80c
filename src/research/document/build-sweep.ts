import { present } from '../../domain/index.js';
import { compareFigures, type Objective } from '../search/objective.js';
import { findPeak } from '../search/peak.js';
import { compareOutcomes, type TrialDifference } from '../repeat-trials.js';
import type { SearchSpace } from '../search/search-space.js';
import type { SweepPlan } from '../sweep.js';
import type { TrialOutcome } from '../trials/trial-schema.js';
import { describeAxis, fixedParameters, placeOf } from './describe-search.js';
import { SWEEP_VERSION, type Sweep, type SweepTrial } from './sweep-schema.js';

export interface BuildSweepOptions {
  readonly plan: SweepPlan;
  readonly space: SearchSpace;
  /** Seed of a random search; undefined for a grid. */
  readonly seed: number | undefined;
  readonly objective: Objective;
  /** One per combination, in their order. */
  readonly outcomes: readonly TrialOutcome[];
  /** What was found in the text of the plugin. @defaultValue nothing */
  readonly warnings?: readonly string[] | undefined;
  /** Combinations that came to something else alone. @defaultValue none */
  readonly differences?: readonly TrialDifference[] | undefined;
}

/** Builds the document of a sweep. It says nothing of how it was run: neither jobs nor interruptions change a byte. */
export function buildSweep(options: BuildSweepOptions): Sweep {
  const { plan, space, seed, objective, outcomes, warnings = [], differences = [] } = options;
  const { config, inputs } = plan;
  const figures = outcomes.map((outcome) => figureOf(outcome, objective));
  const finished = outcomes.filter(({ status }) => status === 'finished').length;
  return {
    version: SWEEP_VERSION,
    sweep: {
      strategy: inputs.strategy,
      instruments: config.instruments.map(({ instrumentId }) => instrumentId),
      parameters: fixedParameters(plan, space),
      source: inputs.source,
      ground: inputs.ground,
      data: inputs.data,
      engine: inputs.engine,
      search: seed === undefined ? 'grid' : 'random',
      seed: seed ?? null,
      axes: space.map(describeAxis),
      objective: objective.name,
      best: objective.best,
    },
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
    trials: outcomes.map((outcome, index) => ({ ...placeOf(plan, index), ...outcome })),
  };
}

/** The figure by which a combination is ranked; null when it failed, or its sample cannot carry it. */
export function figureOf(
  outcome: TrialOutcome | SweepTrial,
  { name }: Pick<Objective, 'name'>,
): number | null {
  return outcome.status === 'finished' ? outcome.statistics[name] : null;
}

/** The trials of a sweep from the best to the worst, those without a figure last; equal ones in their order. */
export function rankTrials({ sweep, trials }: Sweep): readonly SweepTrial[] {
  const objective = { name: sweep.objective };
  return trials.toSorted((a, b) =>
    compareFigures(figureOf(a, objective), figureOf(b, objective), sweep),
  );
}

function describeBest(
  { plan, space, objective }: BuildSweepOptions,
  figures: readonly (number | null)[],
): Sweep['best'] {
  const { combinations } = plan;
  const peak = findPeak(space, combinations, figures, objective);
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
