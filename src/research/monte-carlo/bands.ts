import { present, type EpochMs } from '../../domain/index.js';
import type { MonteCarlo } from './monte-carlo-schema.js';
import { quantilesOf } from './quantiles.js';
import type { ManyPaths, PathFigures } from './walk-paths.js';

type Days = NonNullable<MonteCarlo['days']>;
type Banded = 'totalReturn' | 'maxDrawdown' | 'longestFall';

/** Most times of the bands. */
const MOST_BANDS = 60;

/** Steps of a path whose values are kept: evenly, the last one among them. */
export function markedSteps(length: number): readonly number[] {
  const count = Math.min(length, MOST_BANDS);
  return Array.from({ length: count }, (_, index) => Math.round(((index + 1) * length) / count));
}

/** A figure of the run, and between which bounds it is of the paths. */
export function figureOf(name: Banded, own: PathFigures, many: ManyPaths): Days[Banded] {
  return { run: own[name], ...quantilesOf(many[name]) };
}

/** Between which bounds the paths are at the times of their marks. */
export function bandsOf(times: readonly EpochMs[], { marks }: ManyPaths): Days['bands'] {
  return times.map((time, index) => ({
    time,
    ...quantilesOf(present(marks[index], 'values of a day')),
  }));
}
