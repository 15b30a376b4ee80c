import type { ParameterValue } from '../../report/index.js';

/** Listed values of one parameter. A grid walks them in order. */
export interface ListedAxis {
  readonly kind: 'listed';
  readonly name: string;
  /** At least one, no value twice. */
  readonly values: readonly ParameterValue[];
  /** Whether neighboring values are similar: true for numbers, false for words and booleans. */
  readonly isOrdered: boolean;
}

/** A range of float64, only for searches that draw. */
export interface ContinuousAxis {
  readonly kind: 'continuous';
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

export type Axis = ListedAxis | ContinuousAxis;

/** The parameters that are searched, in the order in which they were named; the last one changes fastest. */
export type SearchSpace = readonly Axis[];

/** One point of a search space. */
export interface Combination {
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** Per axis the index of its value in the list; NaN on a continuous axis. */
  readonly places: readonly number[];
}

/** Most combinations of one sweep: the data that is kept of them stays below a few hundred megabytes. */
export const MAX_COMBINATIONS = 100_000;
