import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { MAX_DIMENSIONS, SobolSequence } from '../../../../src/research/search/sobol-sequence.js';

const take = (sequence: SobolSequence, count: number): readonly (readonly number[])[] =>
  Array.from({ length: count }, () => sequence.next());

const seeds = fc.integer({ min: 0, max: 999_999_999 });

describe('SobolSequence', () => {
  it('returns the published first ten points of three dimensions', () => {
    // Joe, Kuo: output of `sobol 10 3 new-joe-kuo-6.21201`.
    expect(take(new SobolSequence(3), 10)).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
      [0.1875, 0.3125, 0.9375],
      [0.6875, 0.8125, 0.4375],
    ]);
  });

  it.each([undefined, 7])(
    'puts one of the first 1,024 points into each 1,024th of every axis, seed %s',
    (seed) => {
      const points = take(new SobolSequence(MAX_DIMENSIONS, seed), 1_024);

      for (let axis = 0; axis < MAX_DIMENSIONS; axis += 1)
        expect(new Set(points.map((point) => Math.floor((point[axis] ?? 0) * 1_024))).size).toBe(
          1_024,
        );
    },
  );

  test.prop([seeds, fc.integer({ min: 0, max: 6 })])(
    'puts one of the first 64 points into each rectangle of a 64th of the first two axes, of any shape',
    (seed, power) => {
      const [columns, rows] = [2 ** power, 2 ** (6 - power)];
      const cells = take(new SobolSequence(2, seed), 64).map(
        ([x = 0, y = 0]) => Math.floor(x * columns) * rows + Math.floor(y * rows),
      );

      expect(new Set(cells).size).toBe(64);
    },
  );

  test.prop([seeds])(
    'returns the same points for the same seed, and others for another seed',
    (seed) => {
      const [points, again] = [new SobolSequence(4, seed), new SobolSequence(4, seed)];
      const other = new SobolSequence(4, seed + 1);

      const first = take(points, 8);
      expect(take(again, 8)).toEqual(first);
      expect(take(other, 8)).not.toEqual(first);
      expect(first.flat().every((coordinate) => coordinate >= 0 && coordinate < 1)).toBe(true);
    },
  );

  it('scatters the first point over the cube as seeds change', () => {
    // 2,000 draws: mean 1/2 with a standard error of .0065, variance 1/12.
    const firsts = Array.from(
      { length: 2_000 },
      (_, seed) => new SobolSequence(3, seed).next()[2] ?? 0,
    );
    const mean = firsts.reduce((sum, value) => sum + value) / firsts.length;
    const variance = firsts.reduce((sum, value) => sum + (value - mean) ** 2, 0) / firsts.length;

    expect(mean).toBeGreaterThan(0.5 - 4 * 0.0065);
    expect(mean).toBeLessThan(0.5 + 4 * 0.0065);
    expect(variance).toBeGreaterThan(0.078);
    expect(variance).toBeLessThan(0.089);
  });
});
