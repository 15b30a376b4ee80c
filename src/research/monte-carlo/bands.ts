import { present, type EpochMs } from '../../domain/index.js';
import type { MonteCarlo } from './monte-carlo-schema.js';
import { quantilesOf } from './quantiles.js';
import type { ManyPaths, PathFigures } from './walk-paths.js';

type Days = NonNullable<MonteCarlo['days']>;
type Banded = 'totalReturn' | 'maxDrawdown' | 'longestFall';

/** Most instants of the bands. */
const MOST_BANDS = 60;

/** Evenly spaced steps of a path whose values are kept, the last step included. */
export function markedSteps(length: number): readonly number[] {
  const count = Math.min(length, MOST_BANDS);
  return Array.from({ length: count }, (_, index) => Math.round(((index + 1) * length) / count));
}

/** A figure of the run, with its quantiles over the paths. */
export function withBands(name: Banded, own: PathFigures, many: ManyPaths): Days[Banded] {
  return { run: own[name], ...quantilesOf(many[name]) };
}

/** Quantiles of the paths at the times of their marks. */
export function bandsOf(times: readonly EpochMs[], { marks }: ManyPaths): Days['bands'] {
  return times.map((time, index) => ({
    time,
    ...quantilesOf(present(marks[index], 'values of a day')),
  }));
}
