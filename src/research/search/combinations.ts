import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { present, UsageError } from '../../domain/index.js';
import { combinationAt, shortNumber } from './point.js';
import { Proposals } from './proposals.js';
import type { SearchLimits } from './search-method.js';
import {
  MAX_COMBINATIONS,
  type Axis,
  type Combination,
  type ListedAxis,
  type SearchSpace,
} from './search-space.js';
import { sobolOf } from './sobol-sequence.js';

/** Number of combinations of a grid. */
export function countGrid(axes: readonly ListedAxis[]): number {
  return axes.reduce((count, { values }) => count * values.length, 1);
}

/**
 * Lists every combination of a grid once: the first axis changes slowest, the last one fastest.
 *
 * @throws {UsageError} `E_SWEEP_SIZE` when there are more than {@link MAX_COMBINATIONS}.
 */
export function listGrid(axes: readonly ListedAxis[]): readonly Combination[] {
  const count = countGrid(axes);
  if (count > MAX_COMBINATIONS) throw tooMany(count);
  return Array.from({ length: count }, (_, index) => gridCombination(axes, index));
}

/**
 * Draws different combinations evenly from the whole space, in the order of the draws. The same seed gives the same combinations. A grid with at most `count`
 * combinations is listed in full instead, in its own order.
 *
 * @throws {UsageError} `E_SWEEP_SIZE` when `count` is above {@link MAX_COMBINATIONS}.
 */
export function drawCombinations(space: SearchSpace, limits: SearchLimits): readonly Combination[] {
  const { count, seed, allows = () => true } = limits;
  if (count > MAX_COMBINATIONS) throw tooMany(count);
  const random = xoroshiro128plus(seed);
  const axes = space.filter((axis) => axis.kind === 'listed');
  const size = axes.length === space.length ? countGrid(axes) : Number.POSITIVE_INFINITY;
  if (size <= count) return listGrid(axes).filter(allows);
  if (size >= 2 * count) return drawDistinct(limits, () => drawOne(space, random));
  return shuffledPrefix(size, size, random)
    .map((index) => gridCombination(axes, index))
    .filter(allows)
    .slice(0, count);
}

/**
 * The first different combinations of a scrambled Sobol sequence, which cover the space more evenly than draws.
 *
 * @throws {UsageError} `E_SWEEP_SIZE` when `count` is above {@link MAX_COMBINATIONS}, or the space has more axes than the sequence.
 */
export function drawSobol(space: SearchSpace, limits: SearchLimits): readonly Combination[] {
  if (limits.count > MAX_COMBINATIONS) throw tooMany(limits.count);
  const sequence = sobolOf(space, limits.seed);
  return drawDistinct(limits, () => combinationAt(space, sequence.next()));
}

function tooMany(count: number): UsageError {
  return new UsageError(
    'E_SWEEP_SIZE',
    `expected at most ${String(MAX_COMBINATIONS)} combinations, received ${String(count)}; name fewer values with --grid, or draw some with --random`,
  );
}

function gridCombination(axes: readonly ListedAxis[], index: number): Combination {
  const places = new Array<number>(axes.length).fill(0);
  let rest = index;
  for (let axis = axes.length - 1; axis >= 0; axis -= 1) {
    const { length } = present(axes[axis], 'axis').values;
    places[axis] = rest % length;
    rest = Math.floor(rest / length);
  }
  return combine(axes, places, (axis, place) => present(axis.values[place], 'value of an axis'));
}

function combine<A extends Axis>(
  axes: readonly A[],
  places: readonly number[],
  valueAt: (axis: A, place: number) => Combination['parameters'][string],
): Combination {
  return {
    parameters: Object.fromEntries(
      axes.map((axis, at) => [axis.name, valueAt(axis, places[at] ?? Number.NaN)]),
    ),
    places,
  };
}

/** The first `count` of the numbers below `size`, in a random order. */
function shuffledPrefix(size: number, count: number, random: RandomGenerator): readonly number[] {
  const numbers = Array.from({ length: size }, (_, index) => index);
  for (let index = 0; index < count; index += 1) {
    const other = uniformInt(random, index, size - 1);
    const drawn = numbers[other] ?? 0;
    numbers[other] = numbers[index] ?? 0;
    numbers[index] = drawn;
  }
  return numbers.slice(0, count);
}

/** Draws until there are enough combinations, or no new ones come. */
function drawDistinct(limits: SearchLimits, draw: () => Combination): readonly Combination[] {
  const proposals = new Proposals(limits);
  const drawn: Combination[] = [];
  for (;;) {
    const combination = proposals.take(draw);
    if (combination === undefined) return drawn;
    drawn.push(combination);
  }
}

function drawOne(space: SearchSpace, random: RandomGenerator): Combination {
  const places = space.map((axis) =>
    axis.kind === 'listed' ? uniformInt(random, 0, axis.values.length - 1) : Number.NaN,
  );
  return combine(space, places, (axis, place) =>
    axis.kind === 'listed'
      ? present(axis.values[place], 'value of an axis')
      : drawNumber(axis.min, axis.max, random),
  );
}

function drawNumber(min: number, max: number, random: RandomGenerator): number {
  return shortNumber(min + (max - min) * uniformFloat64(random), { min, max });
}
