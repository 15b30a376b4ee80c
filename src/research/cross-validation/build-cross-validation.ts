import { DAY_MS, present } from '../../domain/index.js';
import {
  describeAxis,
  describeConstraints,
  fixedParameters,
  placeOf,
} from '../document/describe-search.js';
import { quantilesOf, type Quantiles } from '../monte-carlo/quantiles.js';
import { compareOutcomes, type TrialDifference } from '../repeat-trials.js';
import type { SearchName } from '../search/search-names.js';
import type { SearchSpace } from '../search/search-space.js';
import type { Cpcv } from '../statistics/cpcv.js';
import type { SweepPlan } from '../sweep.js';
import type { TrialOutcome } from '../trials/trial-schema.js';
import { CROSS_VALIDATION_VERSION, type CrossValidation } from './cross-validation-schema.js';
import type { DayChoice, DayFigureName } from './day-figures.js';
import type { Purge } from './purge.js';
import type { TrialTable } from './table-of-trials.js';
import type { ValidatedSplit, Validation } from './validate-splits.js';

interface BuildCrossValidationOptions {
  readonly plan: SweepPlan;
  readonly space: SearchSpace;
  readonly method: SearchName;
  /** Seed of the draws; undefined for a grid. */
  readonly seed: number | undefined;
  readonly objective: DayChoice;
  /** One per combination. */
  readonly outcomes: readonly TrialOutcome[];
  readonly table: TrialTable;
  /** Number k of groups that each split tests. */
  readonly tested: number;
  readonly purge: Purge;
  /** In days. */
  readonly embargo: number;
  readonly layout: Cpcv;
  readonly validation: Validation;
  readonly warnings: readonly string[];
  /** Combinations with another outcome when they were run alone, by index. */
  readonly differences: readonly TrialDifference[];
}

/** Builds the document of a cross-validation. The document does not depend on how it ran: neither jobs nor interruptions change a byte. */
export function buildCrossValidation(options: BuildCrossValidationOptions): CrossValidation {
  const { plan, outcomes, table, layout, validation, warnings, differences } = options;
  const { failed, withoutReturns, otherDays } = table;
  const { splits, paths } = validation;
  return {
    version: CROSS_VALIDATION_VERSION,
    crossValidation: describeValidated(options),
    counts: { combinations: outcomes.length, failed, withoutReturns, otherDays },
    warnings: [...warnings],
    differences: differences.map(({ index, alone }) => ({
      ...placeOf(plan, index),
      figures: [...compareOutcomes(present(outcomes[index], 'outcome'), alone)],
    })),
    spread: describeSpread(options),
    losing: paths.filter(({ figures }) => (figures.totalReturn ?? 0) < 0).length,
    chosen: countChosen(options),
    paths: layout.paths.map((path, index) => ({
      splits: [...path],
      ...present(paths[index], 'path').figures,
    })),
    splits: layout.splits.map(({ groups, train }, index) => {
      const { chosen, inside, outside } = present(splits[index], 'split');
      return {
        groups: [...groups],
        trained: train.length,
        ...placeOf(plan, placeIn(table, chosen)),
        inside,
        outside,
      };
    }),
  };
}

function describeValidated({
  plan,
  space,
  method,
  seed,
  objective,
  table,
  tested,
  purge,
  embargo,
  layout,
}: BuildCrossValidationOptions): CrossValidation['crossValidation'] {
  const { inputs, config } = plan;
  return {
    strategy: inputs.strategy,
    instruments: config.instruments.map(({ instrumentId }) => instrumentId),
    parameters: fixedParameters(plan, space),
    source: inputs.source,
    engine: inputs.engine,
    search: method,
    seed: seed ?? null,
    objective: objective.name,
    ...describeConstraints(objective.constraints),
    axes: space.map(describeAxis),
    best: objective.best,
    groups: layout.groups.length,
    tested,
    days: table.days,
    from: table.from - DAY_MS,
    to: table.to,
    purge: purge.days,
    embargo,
    longestHold: {
      time: purge.longestHoldMs,
      parameters: placeOf(plan, purge.place).parameters,
    },
  };
}

function describeSpread({
  objective: { name },
  validation: { splits, paths },
}: BuildCrossValidationOptions): CrossValidation['spread'] {
  const ofSplits = (part: 'inside' | 'outside'): Quantiles | null =>
    spreadOf(splits.map((split: ValidatedSplit) => split[part][name]));
  const ofPaths = (figure: DayFigureName): Quantiles | null =>
    spreadOf(paths.map(({ figures }) => figures[figure]));
  return {
    inside: ofSplits('inside'),
    outside: ofSplits('outside'),
    totalReturn: ofPaths('totalReturn'),
    sharpe: ofPaths('sharpe'),
    maxDrawdown: ofPaths('maxDrawdown'),
  };
}

function spreadOf(values: readonly (number | null)[]): Quantiles | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : quantilesOf(Float64Array.from(known));
}

function countChosen({
  plan,
  table,
  validation: { splits },
}: BuildCrossValidationOptions): CrossValidation['chosen'] {
  const counts = new Map<number, number>();
  for (const { chosen } of splits) counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || a - b)
    .map(([chosen, count]) => ({ ...placeOf(plan, placeIn(table, chosen)), splits: count }));
}

function placeIn({ places }: TrialTable, column: number): number {
  return present(places[column], 'place of a trial');
}
