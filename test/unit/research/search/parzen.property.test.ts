import { fc, test } from '@fast-check/vitest';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, it } from 'vitest';
import { Parzen } from '../../../../src/research/search/parzen.js';
import type { SearchSpace } from '../../../../src/research/search/search-space.js';

const NUMBER: SearchSpace = [{ kind: 'continuous', name: 'x', min: 0, max: 1 }];
const MIXED: SearchSpace = [
  ...NUMBER,
  { kind: 'listed', name: 'word', values: ['a', 'b', 'c', 'd'], isOrdered: false },
];
const share = fc.double({ min: 0, max: 1, noNaN: true });
const PARTS = 400;
const middles = Array.from({ length: PARTS }, (_, index) => (index + 0.5) / PARTS);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('Parzen', () => {
  test.prop([fc.array(fc.tuple(share), { maxLength: 40 })], { numRuns: 30 })(
    'has a density that integrates to 1 over an axis of numbers',
    (observations) => {
      const parzen = new Parzen(NUMBER, observations);

      expect(mean(middles.map((x) => Math.exp(parzen.logDensity([x]))))).toBeCloseTo(1, 2);
    },
  );

  test.prop([fc.array(fc.tuple(share, share), { maxLength: 20 })], { numRuns: 10 })(
    'has a density that integrates to 1 over numbers and words',
    (observations) => {
      const parzen = new Parzen(MIXED, observations);
      const words = [0.1, 0.3, 0.6, 0.9];

      const all = middles.flatMap((x) =>
        words.map((word) => Math.exp(parzen.logDensity([x, word]))),
      );
      expect(mean(all)).toBeCloseTo(1, 2);
    },
  );

  it('draws points according to its density', () => {
    const parzen = new Parzen(MIXED, [
      [0.2, 0.1],
      [0.25, 0.1],
      [0.9, 0.9],
    ]);
    const random = xoroshiro128plus(5);
    const drawn = Array.from({ length: 4_000 }, () => parzen.draw(random));

    // Ten parts of the number range by four words: compares the drawn share with the mean density over each part.
    for (let part = 0; part < 10; part += 1)
      for (let word = 0; word < 4; word += 1) {
        const isIn = ([x = 0, w = 0]: readonly number[]): boolean =>
          Math.floor(x * 10) === part && Math.floor(w * 4) === word;
        const points = middles.filter((x) => Math.floor(x * 10) === part);
        const wanted =
          mean(points.map((x) => Math.exp(parzen.logDensity([x, (word + 0.5) / 4])))) / 40;
        const got = drawn.filter(isIn).length / drawn.length;
        expect(Math.abs(got - wanted)).toBeLessThan(4.5 * Math.sqrt(wanted / drawn.length) + 1e-3);
      }
  });

  it('gives the newest 25 observations full weight, and older observations less with age', () => {
    // Weights of 30 observations: from 1/30 to 1 in five steps, 25 of 1, and 1 for the whole space.
    const far = Array.from({ length: 30 }, (_, index): readonly [number] => [index === 0 ? 0 : 1]);
    const near = Array.from({ length: 30 }, (_, index): readonly [number] => [
      index === 29 ? 0 : 1,
    ]);
    const [oldest, newest] = [far, near].map((points) => new Parzen(NUMBER, points));
    const above = (parzen: Parzen | undefined): number =>
      Math.exp(parzen?.logDensity([0]) ?? NaN) - Math.exp(parzen?.logDensity([0.5]) ?? NaN);

    expect(above(newest) / above(oldest)).toBeCloseTo(30, 6);
  });
});
