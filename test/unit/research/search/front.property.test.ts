import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  crowdingOf,
  dominates,
  findFront,
  sortIntoFronts,
} from '../../../../src/research/search/front.js';
import { hypervolume } from '../../../support/research/test-functions.js';

const cost = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }) },
  { weight: 1, arbitrary: fc.constant(Infinity) },
);
const pairs = fc.array(fc.tuple(cost, cost), { maxLength: 40 });

describe('findFront', () => {
  test.prop([pairs])('returns the finite pairs that no other pair dominates', (all) => {
    const front = findFront(all);
    const held = front.map((index) => all[index] ?? []);

    for (const one of held) expect(all.some((other) => dominates(other, one))).toBe(false);
    for (const pair of all.filter((each) => each.every(Number.isFinite)))
      expect(
        held.some((one) => dominates(one, pair) || one.every((value, at) => value === pair[at])),
      ).toBe(true);
    expect(front.every((index) => all[index]?.every(Number.isFinite))).toBe(true);
  });

  test.prop([pairs])(
    'sorts the front by a rising first cost, with a falling second cost',
    (all) => {
      const held = findFront(all).map((index) => all[index] ?? [0, 0]);

      for (const [index, [x, y]] of held.slice(1).entries()) {
        expect(x).toBeGreaterThan(held[index]?.[0] ?? Infinity);
        expect(y).toBeLessThan(held[index]?.[1] ?? -Infinity);
      }
    },
  );

  it('returns the first of equal pairs', () => {
    expect(
      findFront([
        [2, 2],
        [1, 1],
        [1, 1],
      ]),
    ).toEqual([1]);
  });
});

describe('sortIntoFronts', () => {
  test.prop([pairs])(
    'puts each pair into one front, after a front with a pair that dominates it',
    (all) => {
      const fronts = sortIntoFronts(all);

      expect(fronts.flat().toSorted((a, b) => a - b)).toEqual([...all.keys()]);
      for (const [rank, front] of fronts.entries())
        for (const index of front) {
          const costs = all[index] ?? [];
          const dominating = (at: number): boolean => dominates(all[at] ?? [], costs);
          expect(front.some(dominating)).toBe(false);
          if (rank > 0) expect(fronts[rank - 1]?.some(dominating)).toBe(true);
        }
    },
  );
});

describe('crowdingOf', () => {
  it('sums the gaps beside each member as shares of the whole range', () => {
    // Second point: (3 − 0)/10 + (9 − 4)/9; third point: (10 − 1)/10 + (6 − 0)/9.
    const crowding = crowdingOf([
      [0, 9],
      [1, 6],
      [3, 4],
      [10, 0],
    ]);

    expect(crowding[0]).toBe(Infinity);
    expect(crowding[1]).toBeCloseTo(0.3 + 5 / 9, 12);
    expect(crowding[2]).toBeCloseTo(0.9 + 6 / 9, 12);
    expect(crowding[3]).toBe(Infinity);
  });
});

describe('hypervolume', () => {
  it('returns the area between a front and its reference point', () => {
    expect(
      hypervolume(
        [
          [1, 2],
          [2, 1],
          [2, 2],
          [9, 0],
        ],
        [3, 3],
      ),
    ).toBe(3);
  });
});
