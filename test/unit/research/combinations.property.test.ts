import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  drawCombinations,
  listGrid,
  MAX_COMBINATIONS,
  type Axis,
  type Combination,
} from '../../../src/research/index.js';
import { failureOf } from '../../support/failure.js';

type ListedAxis = Extract<Axis, { kind: 'listed' }>;

/** Axes of one to five values, named a, b, c, …. */
const grids = fc
  .array(fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((lists) =>
    lists.map((values, index): ListedAxis => ({
      kind: 'listed',
      name: String.fromCharCode(97 + index),
      values,
      isOrdered: true,
    })),
  );

const ranges = fc
  .tuple(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
  )
  .map(([min, width]): Axis => ({ kind: 'continuous', name: 'x', min, max: min + width }));

const sizeOf = (axes: readonly ListedAxis[]): number =>
  axes.reduce((size, { values }) => size * values.length, 1);
const keyOf = ({ parameters }: Combination): string => JSON.stringify(parameters);

describe('listGrid', () => {
  test.prop([grids])('lists every combination once', (axes) => {
    const keys = listGrid(axes).map(keyOf);

    expect(keys).toHaveLength(sizeOf(axes));
    expect(new Set(keys).size).toBe(sizeOf(axes));
  });

  test.prop([grids])('changes the last axis fastest and the first slowest', (axes) => {
    const places = listGrid(axes).map((combination) => combination.places);

    // The order of nested loops.
    let expected: number[][] = [[]];
    for (const { values } of axes)
      expected = expected.flatMap((head) => values.map((_, place) => [...head, place]));
    expect(places).toEqual(expected);
  });

  test.prop([grids])('assigns to each place the value of its axis', (axes) => {
    for (const { parameters, places } of listGrid(axes)) {
      expect(Object.values(parameters)).toEqual(
        axes.map(({ values }, index) => values[places[index] ?? Number.NaN]),
      );
    }
  });

  it('refuses more combinations than MAX_COMBINATIONS', () => {
    const values = Array.from({ length: 400 }, (_, value) => value);
    const axis: ListedAxis = { kind: 'listed', name: 'a', values, isOrdered: true };

    expect(failureOf(() => listGrid([axis, { ...axis, name: 'b' }]))).toMatchObject({
      code: 'E_SWEEP_SIZE',
      message: `expected at most ${String(MAX_COMBINATIONS)} combinations, received 160000; name fewer values with --grid, or draw some with --random`,
    });
  });
});

describe('drawCombinations', () => {
  const draws = { count: fc.integer({ min: 1, max: 60 }), seed: fc.nat() };

  test.prop([grids, draws.count, draws.seed])(
    'draws different combinations of the grid, as many as requested or available',
    (axes, count, seed) => {
      const grid = new Set(listGrid(axes).map(keyOf));

      const drawn = drawCombinations(axes, { count, seed }).map(keyOf);

      expect(drawn).toHaveLength(Math.min(count, grid.size));
      expect(new Set(drawn).size).toBe(drawn.length);
      for (const key of drawn) expect(grid).toContain(key);
    },
  );

  test.prop([grids, ranges, draws.count, draws.seed])(
    'draws values within ranges with at most twelve digits',
    (axes, range, count, seed) => {
      const drawn = drawCombinations([...axes, range], { count, seed });

      expect(drawn).toHaveLength(count);
      for (const { parameters } of drawn) {
        const x = Number(parameters['x']);
        if (range.kind !== 'continuous') throw new Error('no range');
        expect(x).toBeGreaterThanOrEqual(range.min);
        expect(x).toBeLessThanOrEqual(range.max);
        if (x !== range.min && x !== range.max) expect(Number(x.toPrecision(12))).toBe(x);
      }
    },
  );

  test.prop([grids, ranges, draws.count, draws.seed])(
    'draws the same combinations from the same seed',
    (axes, range, count, seed) => {
      const space = [...axes, range];

      expect(drawCombinations(space, { count, seed })).toEqual(
        drawCombinations(space, { count, seed }),
      );
    },
  );

  it('draws other combinations from another seed', () => {
    const values = Array.from({ length: 100 }, (_, value) => value);
    const axes: ListedAxis[] = [{ kind: 'listed', name: 'a', values, isOrdered: true }];
    const drawn = [1, 2].map((seed) => drawCombinations(axes, { count: 10, seed }).map(keyOf));

    expect(drawn[0]).not.toEqual(drawn[1]);
  });

  it('draws every value about equally often', () => {
    const axes: ListedAxis[] = ['a', 'b', 'c'].map((name) => ({
      kind: 'listed',
      name,
      values: Array.from({ length: 10 }, (_, value) => value),
      isOrdered: true,
    }));
    const counts = new Array<number>(10).fill(0);

    for (const { places } of drawCombinations(axes, { count: 400, seed: 7 }))
      counts[places[1] ?? 0] = (counts[places[1] ?? 0] ?? 0) + 1;

    // 40 each on average; four standard deviations of a share of 0.1 in 400 draws are 24.
    for (const count of counts) expect(Math.abs(count - 40)).toBeLessThan(24);
  });
});
