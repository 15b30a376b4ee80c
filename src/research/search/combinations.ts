import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { present, UsageError } from '../../domain/index.js';
import {
  MAX_COMBINATIONS,
  type Axis,
  type Combination,
  type ListedAxis,
  type SearchSpace,
} from './search-space.js';

/** Digits of a number that was drawn: it can be written in YAML and read back without losing one. */
const DRAWN_DIGITS = 12;
/** Draws per wanted combination before a space counts as exhausted. */
const MAX_TRIES = 50;

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
  return Array.from({ length: count }, (_, index) => combinationAt(axes, index));
}

/**
 * Draws different combinations, evenly from the whole space, in the order in which they were drawn. The same seed draws the same. A grid
 * that has no more than `count` is listed whole instead, in its own order.
 *
 * @throws {UsageError} `E_SWEEP_SIZE` when `count` is above {@link MAX_COMBINATIONS}.
 */
export function drawCombinations(
  space: SearchSpace,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Combination[] {
  if (count > MAX_COMBINATIONS) throw tooMany(count);
  const random = xoroshiro128plus(seed);
  const axes = space.filter((axis) => axis.kind === 'listed');
  const size = axes.length === space.length ? countGrid(axes) : Number.POSITIVE_INFINITY;
  if (size <= count) return listGrid(axes);
  return size < 2 * count
    ? shuffledPrefix(size, count, random).map((index) => combinationAt(axes, index))
    : drawDistinct(space, count, random);
}

function tooMany(count: number): UsageError {
  return new UsageError(
    'E_SWEEP_SIZE',
    `expected at most ${String(MAX_COMBINATIONS)} combinations, received ${String(count)}; take larger steps, or draw some with --random`,
  );
}

function combinationAt(axes: readonly ListedAxis[], index: number): Combination {
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

/** The first `count` of the numbers below `size` in a drawn order. */
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

/** Draws until there are enough; at most half of a listed space is asked for, so that few draws are in vain. */
function drawDistinct(
  space: SearchSpace,
  count: number,
  random: RandomGenerator,
): readonly Combination[] {
  const drawn = new Map<string, Combination>();
  for (let tries = 0; drawn.size < count && tries < MAX_TRIES * count; tries += 1) {
    const combination = drawOne(space, random);
    const key = JSON.stringify(Object.values(combination.parameters));
    if (!drawn.has(key)) drawn.set(key, combination);
  }
  return [...drawn.values()];
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
  const drawn = min + (max - min) * uniformFloat64(random);
  const short = Number(drawn.toPrecision(DRAWN_DIGITS));
  return Math.min(max, Math.max(min, short));
}
