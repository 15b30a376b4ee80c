import type { Axis, Combination, SearchSpace } from '../search/search-space.js';

/** Movement of one chosen parameter from fold to fold. */
interface ParameterDrift {
  readonly name: string;
  /** Number of folds with another value than the fold before. */
  readonly changes: number;
  /**
   * Mean move from one fold to the next, as a share of the axis from its first value to its last. Listed numbers move by places in their list, a range by
   * value, and each change of a word or a boolean is 1. 0 for an axis of one value; null for a single fold.
   */
  readonly drift: number | null;
}

/** Computes for each searched parameter how it drifts through the chosen combinations, fold by fold. */
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

/** Distance between two combinations on one axis, from 0 to 1. */
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
