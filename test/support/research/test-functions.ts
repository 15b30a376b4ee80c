import { combinationAt } from '../../../src/research/search/point.js';
import type { Costs, SearchMethod } from '../../../src/research/search/search-method.js';
import type { Combination, SearchSpace } from '../../../src/research/search/search-space.js';

/** A function whose smallest value is known. */
export interface TestFunction {
  readonly name: string;
  readonly space: SearchSpace;
  readonly least: number;
  /** One of the places of the smallest value. */
  readonly at: readonly number[];
  of(x: readonly number[]): number;
}

export const cube = (dimensions: number, min: number, max: number): SearchSpace =>
  Array.from({ length: dimensions }, (_, index) => ({
    kind: 'continuous',
    name: `x${String(index)}`,
    min,
    max,
  }));

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Moves optima out of the middle, where a method might begin. */
const SHIFT = 1.3;

export const sphere = (dimensions: number): TestFunction => ({
  name: `Sphere ${String(dimensions)}`,
  space: cube(dimensions, -5, 5),
  least: 0,
  at: Array.from({ length: dimensions }, () => SHIFT),
  of: (x) => sum(x.map((value) => (value - SHIFT) ** 2)),
});

/** Rosenbrock 1960: a bent valley. */
export const rosenbrock = (dimensions: number): TestFunction => ({
  name: `Rosenbrock ${String(dimensions)}`,
  space: cube(dimensions, -2, 2),
  least: 0,
  at: Array.from({ length: dimensions }, () => 1),
  of: (x) =>
    sum(
      x
        .slice(1)
        .map(
          (next, index) => 100 * (next - (x[index] ?? 0) ** 2) ** 2 + (1 - (x[index] ?? 0)) ** 2,
        ),
    ),
});

/** Rastrigin 1974: a sphere with many local optima. */
export const rastrigin = (dimensions: number): TestFunction => ({
  name: `Rastrigin ${String(dimensions)}`,
  space: cube(dimensions, -5.12, 5.12),
  least: 0,
  at: Array.from({ length: dimensions }, () => SHIFT),
  of: (x) =>
    sum(x.map((value) => (value - SHIFT) ** 2 - 10 * Math.cos(2 * Math.PI * (value - SHIFT)) + 10)),
});

/** Branin 1972, in the form of Dixon and Szegő 1978. */
export const branin: TestFunction = {
  name: 'Branin',
  space: [
    { kind: 'continuous', name: 'x', min: -5, max: 10 },
    { kind: 'continuous', name: 'y', min: 0, max: 15 },
  ],
  least: 0.397887,
  at: [Math.PI, 2.275],
  of: ([x = 0, y = 0]) =>
    (y - (5.1 / (4 * Math.PI ** 2)) * x ** 2 + (5 / Math.PI) * x - 6) ** 2 +
    10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) +
    10,
};

const HARTMANN_A = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
];
const HARTMANN_P = [
  [1312, 1696, 5569, 124, 8283, 5886],
  [2329, 4135, 8307, 3736, 1004, 9991],
  [2348, 1451, 3522, 2883, 3047, 6650],
  [4047, 8828, 8732, 5743, 1091, 381],
];

/** Hartmann 1973, six dimensions, in the form of Dixon and Szegő 1978. */
export const hartmann6: TestFunction = {
  name: 'Hartmann 6',
  space: cube(6, 0, 1),
  least: -3.32237,
  at: [0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573],
  of: (x) =>
    -sum(
      [1, 1.2, 3, 3.2].map(
        (weight, row) =>
          weight *
          Math.exp(
            -sum(
              x.map(
                (value, at) =>
                  (HARTMANN_A[row]?.[at] ?? 0) * (value - 1e-4 * (HARTMANN_P[row]?.[at] ?? 0)) ** 2,
              ),
            ),
          ),
      ),
    ),
};

/** Zitzler, Deb, Thiele 2000: two objectives, the front is y = 1 − √x. */
export const zdt1 = (x: readonly number[]): readonly [number, number] => {
  const [first = 0, ...others] = x;
  const g = 1 + (9 * sum(others)) / others.length;
  return [first, g * (1 - Math.sqrt(first / g))];
};

const valuesOf = ({ parameters }: Combination): readonly number[] =>
  Object.values(parameters).map(Number);

/** Runs a search to its end. Returns all combinations and their costs, in order. */
export function playSearch(
  method: SearchMethod,
  costsOf: (x: readonly number[]) => Costs,
): { readonly combinations: readonly Combination[]; readonly costs: readonly Costs[] } {
  const combinations: Combination[] = [];
  const costs: Costs[] = [];
  for (;;) {
    const generation = method.ask();
    if (generation.length === 0) return { combinations, costs };
    const told = generation.map((combination) => costsOf(valuesOf(combination)));
    method.tell(told);
    combinations.push(...generation);
    costs.push(...told);
  }
}

/** How far the best of a search is above the least value. */
export function gapOf(method: SearchMethod, { of, least }: TestFunction): number {
  const { costs } = playSearch(method, (x) => [of(x)]);
  return Math.min(...costs.map(([cost = Infinity]) => cost)) - least;
}

/** The area below a reference point that a set of pairs covers. */
export function hypervolume(
  pairs: readonly Costs[],
  [right, top]: readonly [number, number],
): number {
  const sorted = pairs
    .map(([x = Infinity, y = Infinity]) => [x, y] as const)
    .filter(([x, y]) => x < right && y < top)
    .sort(([a], [b]) => a - b);
  let area = 0;
  let floor = top;
  for (const [x, y] of sorted) {
    if (y >= floor) continue;
    area += (right - x) * (floor - y);
    floor = y;
  }
  return area;
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

/** The combinations of a space at the given points. */
export const combinationsAt = (
  space: SearchSpace,
  points: readonly (readonly number[])[],
): readonly Combination[] => points.map((point) => combinationAt(space, point));
