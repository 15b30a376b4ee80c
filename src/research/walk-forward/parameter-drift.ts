import type { Axis, Combination, SearchSpace } from '../search/search-space.js';

/** How much one parameter of what was chosen moves from fold to fold. */
export interface ParameterDrift {
  readonly name: string;
  /** Folds whose value is another than that of the fold before. */
  readonly changes: number;
  /**
   * Mean move from one fold to the next, as a share of the way from the first value of the axis to the last: of listed numbers in places of their
   * list, of a range by value, of words and switches 1 for each change. 0 of an axis of one value; null of a single fold.
   */
  readonly drift: number | null;
}

/** Says of each searched parameter how it drifts through the combinations that were chosen, fold by fold. */
export function parameterDrift(
  space: SearchSpace,
  chosen: readonly Combination[],
): readonly ParameterDrift[] {
  return space.map((axis, at) => {
    const moves = chosen.slice(1).map((later, index) => {
      const before = chosen[index] ?? later;
      return moveOf(axis, at, [before, later]);
    });
    const sum = moves.reduce((total, move) => total + move, 0);
    return {
      name: axis.name,
      changes: moves.filter((move) => move > 0).length,
      drift: moves.length === 0 ? null : sum / moves.length,
    };
  });
}

/** Way between two combinations on one axis: from 0 to 1. */
function moveOf(axis: Axis, at: number, [a, b]: readonly [Combination, Combination]): number {
  const [one, other] = [a.parameters[axis.name], b.parameters[axis.name]];
  if (one === other) return 0;
  if (axis.kind === 'continuous')
    return Math.abs(Number(other) - Number(one)) / (axis.max - axis.min);
  if (!axis.isOrdered) return 1;
  return (
    Math.abs((b.places[at] ?? Number.NaN) - (a.places[at] ?? Number.NaN)) / (axis.values.length - 1)
  );
}
