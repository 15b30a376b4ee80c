import { parseFixed, present } from '../../domain/index.js';
import {
  describeAxis,
  describeConstraints,
  fixedParameters,
  placeOf,
} from '../document/describe-search.js';
import { compareOutcomes, type TrialDifference } from '../repeat-trials.js';
import type { Choice } from '../search/goal.js';
import type { SearchName } from '../search/search-names.js';
import type { SearchSpace } from '../search/search-space.js';
import type { SweepPlan } from '../sweep.js';
import type { TrialSpan } from '../trials/trial-job.js';
import type { FinishedTrial } from '../trials/trial-schema.js';
import { countTraining } from './choose-best.js';
import type { FoldLengths, WindowKind } from './lay-out-folds.js';
import { luckOfWalk } from './luck-of-walk.js';
import { parameterDrift } from './parameter-drift.js';
import type { FoldRun, PlannedFold } from './run-walk-forward.js';
import { annualReturnOf, efficiencyOf, stitch, stitchedFigures } from './stitch.js';
import {
  WALK_FORWARD_VERSION,
  type WalkForward,
  type WalkForwardFold,
} from './walk-forward-schema.js';

interface BuildWalkForwardOptions {
  readonly folds: readonly PlannedFold[];
  /** One per fold. */
  readonly runs: readonly FoldRun[];
  readonly space: SearchSpace;
  readonly method: SearchName;
  /** Seed of the draws; undefined for a grid. */
  readonly seed: number | undefined;
  readonly objective: Choice;
  readonly window: WindowKind;
  readonly lengths: FoldLengths;
  /** The range of days of the walk. */
  readonly range: TrialSpan;
  /** Findings in the text of the plugin. @defaultValue nothing */
  readonly warnings?: readonly string[] | undefined;
  /** Tests with another outcome when they were run alone, by fold. @defaultValue none */
  readonly differences?: readonly TrialDifference[] | undefined;
}

/** Builds the document of a walk-forward. The document does not depend on how it ran: neither jobs nor interruptions change a byte. */
export function buildWalkForward(options: BuildWalkForwardOptions): WalkForward {
  const { folds, runs, space, method, seed, objective, window, lengths, range } = options;
  const { warnings = [], differences = [] } = options;
  const { inside: plan } = present(folds[0], 'fold');
  const tested = folds.map((fold, index) => ({
    ...fold,
    ...present(runs[index], 'run of a fold'),
  }));
  const curve = stitch(tested);
  return {
    version: WALK_FORWARD_VERSION,
    walkForward: {
      strategy: plan.inputs.strategy,
      instruments: plan.config.instruments.map(({ instrumentId }) => instrumentId),
      parameters: fixedParameters(plan, space),
      source: plan.inputs.source,
      engine: plan.inputs.engine,
      search: method,
      seed: seed ?? null,
      objective: objective.name,
      ...describeConstraints(objective.constraints),
      axes: space.map(describeAxis),
      best: objective.best,
      window,
      ...lengths,
      ...range,
    },
    warnings: [...warnings],
    differences: differences.map(({ index, alone }) => {
      const { outside, chosen } = present(runs[index], 'run of a fold');
      const place = placeOf(present(folds[index], 'fold').outside, chosen);
      return { ...place, index, figures: [...compareOutcomes(outside, alone)] };
    }),
    outside: describeOutside(tested, curve),
    drift: [
      ...parameterDrift(
        space,
        runs.map(({ chosen }) => present(plan.combinations[chosen], 'combination')),
      ),
    ],
    folds: folds.map((fold, index) =>
      describeFold(fold, present(runs[index], 'run of a fold'), objective),
    ),
    curve: [...curve.points],
  };
}

type TestedFold = PlannedSpans & FoldRun;
type PlannedSpans = Pick<PlannedFold, 'train' | 'test'>;

function describeOutside(
  folds: readonly TestedFold[],
  curve: ReturnType<typeof stitch>,
): WalkForward['outside'] {
  const inside = annualReturnOf(folds.map((fold) => fold.inside));
  const outside = annualReturnOf(folds.map((fold) => fold.outside));
  return {
    ...stitchedFigures(folds, curve),
    insideAnnualReturn: inside,
    annualReturn: outside,
    efficiency: efficiencyOf(inside, outside),
    profitable: folds.filter((fold) => isProfitable(fold.outside)).length,
    luck: luckOfWalk(
      curve.returns,
      folds.flatMap(({ outcomes }) => outcomes),
    ),
  };
}

function isProfitable({ equity }: FinishedTrial): boolean {
  return parseFixed(equity.final) > parseFixed(equity.initial);
}

function describeFold(
  { train, test, inside, outside }: PlannedFold,
  run: FoldRun,
  objective: Choice,
): WalkForwardFold {
  const { parameters } = placeOf(inside, run.chosen);
  const [trained, tested] = [
    describeRun(inside, run.chosen, run.inside),
    describeRun(outside, run.chosen, run.outside),
  ];
  return {
    train,
    test,
    counts: countTraining(run.outcomes, objective),
    parameters,
    inside: trained,
    outside: tested,
    efficiency: efficiencyOf(trained.annualReturn, tested.annualReturn),
  };
}

function describeRun(
  plan: SweepPlan,
  index: number,
  outcome: FinishedTrial,
): WalkForwardFold['inside'] {
  const { id } = placeOf(plan, index);
  return { id, annualReturn: annualReturnOf([outcome]), ...outcome };
}
