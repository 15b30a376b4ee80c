import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { CmaEsSearch } from '../../../../src/research/search/cma-es.js';
import { drawSobol } from '../../../../src/research/search/combinations.js';
import { EarlyStop } from '../../../../src/research/search/early-stop.js';
import { NsgaSearch } from '../../../../src/research/search/nsga.js';
import { combinationKey } from '../../../../src/research/search/point.js';
import {
  ListSearch,
  type Costs,
  type SearchLimits,
  type SearchMethod,
} from '../../../../src/research/search/search-method.js';
import type {
  Axis,
  Combination,
  ContinuousAxis,
  ListedAxis,
  SearchSpace,
} from '../../../../src/research/search/search-space.js';
import { TpeSearch } from '../../../../src/research/search/tpe.js';

const METHODS: Readonly<
  Record<string, (space: SearchSpace, limits: SearchLimits) => SearchMethod>
> = {
  sobol: (space, limits) => new ListSearch(drawSobol(space, limits), 7),
  tpe: (space, limits) => new TpeSearch(space, limits),
  'cma-es': (space, limits) => new CmaEsSearch(space, limits),
  'nsga-ii': (space, limits) => new NsgaSearch(space, limits),
};

type Nameless = Omit<ListedAxis, 'name'> | Omit<ContinuousAxis, 'name'>;

const named = (axes: readonly Nameless[]): SearchSpace =>
  axes.map((axis, index) => ({ ...axis, name: String.fromCharCode(97 + index) }));

const steps = fc
  .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 12 }))
  .map(([from, count]) => ({
    kind: 'listed' as const,
    values: Array.from({ length: count }, (_, index) => from + 5 * index),
    isOrdered: true,
  }));
const range = fc
  .tuple(
    fc.double({ min: -1e4, max: 1e4, noNaN: true }),
    fc.double({ min: 1e-3, max: 1e4, noNaN: true }),
  )
  .map(([min, width]) => ({ kind: 'continuous' as const, min, max: min + width }));
const words = fc.constantFrom(
  { kind: 'listed' as const, values: ['calm', 'bold', 'mad'], isOrdered: false },
  { kind: 'listed' as const, values: [false, true], isOrdered: false },
);

const spaces = (isNumeric: boolean): fc.Arbitrary<SearchSpace> =>
  fc
    .array(isNumeric ? fc.oneof(steps, range) : fc.oneof(steps, range, words), {
      minLength: 1,
      maxLength: 4,
    })
    .map(named);

/** Pseudo-random costs that depend only on the combination and the salt. A fifth of them is infinite. */
function costsOf(combination: Combination, salt: number): Costs {
  let hash = salt;
  for (const letter of combinationKey(combination))
    hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  const cost = Math.abs(hash % 1_000);
  return hash % 5 === 0 ? [Infinity, Infinity] : [cost, (cost * 7) % 100];
}

function play(method: SearchMethod, salt: number): readonly (readonly Combination[])[] {
  const generations: (readonly Combination[])[] = [];
  for (let asked = method.ask(); asked.length > 0; asked = method.ask()) {
    generations.push(asked);
    method.tell(asked.map((combination) => costsOf(combination, salt)));
  }
  return generations;
}

function isWithin(axis: Axis, { parameters }: Combination, place: number | undefined): boolean {
  const value = parameters[axis.name];
  return axis.kind === 'listed'
    ? value !== undefined && axis.values[place ?? -1] === value
    : typeof value === 'number' &&
        Number.isNaN(place) &&
        value >= axis.min &&
        value <= axis.max &&
        Number(String(value)) === value;
}

describe.each(Object.entries(METHODS))('search method %s', (name, create) => {
  const axes = spaces(name === 'cma-es');
  const seeds = fc.integer({ min: 0, max: 999_999 });
  const counts = fc.integer({ min: 1, max: 45 });

  test.prop([axes, seeds, counts], { numRuns: 8 })(
    'asks for each combination once, on the axes, and for at most the given count',
    (space, seed, count) => {
      const all = play(create(space, { count, seed }), seed).flat();

      expect(all.length).toBeGreaterThan(0);
      expect(all.length).toBeLessThanOrEqual(count);
      expect(new Set(all.map(combinationKey)).size).toBe(all.length);
      for (const combination of all) {
        expect(Object.keys(combination.parameters)).toEqual(space.map((axis) => axis.name));
        expect(space.every((axis, at) => isWithin(axis, combination, combination.places[at]))).toBe(
          true,
        );
      }
    },
  );

  test.prop([axes, seeds, counts], { numRuns: 8 })(
    'asks for the same generations again if it gets the same costs',
    (space, seed, count) => {
      const [one, again] = [1, 2].map(() => play(create(space, { count, seed }), seed));

      expect(again).toEqual(one);
    },
  );

  test.prop([axes, seeds, counts], { numRuns: 8 })(
    'asks only for allowed combinations',
    (space, seed, count) => {
      const allows = (combination: Combination): boolean =>
        combinationKey(combination).length % 2 === 0;

      const all = play(create(space, { count, seed, allows }), seed).flat();

      expect(all.every(allows)).toBe(true);
    },
  );

  it('continues if no trial has a figure', () => {
    const space = named([{ kind: 'continuous', min: 0, max: 1 }]);
    const method = create(space, { count: 45, seed: 1 });
    let asked = 0;
    for (let generation = method.ask(); generation.length > 0; generation = method.ask()) {
      asked += generation.length;
      method.tell(generation.map(() => [Infinity, Infinity]));
    }

    expect(asked).toBe(45);
  });

  it('asks for every combination of a small space', () => {
    const space = named([
      { kind: 'listed', values: [1, 2, 3, 4, 5], isOrdered: true },
      { kind: 'listed', values: [1, 2, 3, 4, 5], isOrdered: true },
    ]);

    expect(play(create(space, { count: 100, seed: 3 }), 3).flat()).toHaveLength(25);
  });
});

describe('EarlyStop', () => {
  const costs = [5, 4, 6, 6, 3, 7, 7, 7, 1, 1];
  const combinations = costs.map((_, index): Combination => ({
    parameters: { index },
    places: [index],
  }));
  const stop = (after: number, generation: number): number => {
    const method = new EarlyStop(new ListSearch(combinations, generation), after);
    let asked = 0;
    for (let next = method.ask(); next.length > 0; next = method.ask()) {
      asked += next.length;
      method.tell(next.map(({ places: [place = 0] }) => [costs[place] ?? 0]));
    }
    return asked;
  };

  it('stops after the generation in which enough consecutive trials brought no improvement', () => {
    expect(stop(2, 1)).toBe(4);
    expect(stop(3, 1)).toBe(8);
    expect(stop(4, 1)).toBe(10);
    // Checked after the fourth trial: two trials were in vain.
    expect(stop(2, 4)).toBe(4);
    expect(stop(3, 4)).toBe(8);
  });

  it('counts a trial that adds to the front as an improvement', () => {
    const pairs: readonly Costs[] = [
      [5, 5],
      [4, 6],
      [6, 4],
      [6, 6],
      [5, 5],
      [Infinity, Infinity],
    ];
    const method = new EarlyStop(new ListSearch(combinations, 1), 3);
    let asked = 0;
    for (let next = method.ask(); next.length > 0; next = method.ask()) {
      method.tell([pairs[asked] ?? []]);
      asked += 1;
    }

    expect(asked).toBe(6);
  });
});
