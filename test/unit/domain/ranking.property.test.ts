import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Ranking } from '../../../src/domain/index.js';

interface Thing {
  readonly rank: number;
  hasEnded: boolean;
}

const aRanking = (): Ranking<Thing> =>
  new Ranking<Thing>(
    (one, other) => one.rank > other.rank,
    ({ hasEnded }) => !hasEnded,
  );

describe('Ranking', () => {
  it('finds the same first active entry as a search over all entries', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ add: fc.nat({ max: 50 }) }) },
      { weight: 2, arbitrary: fc.record({ end: fc.nat({ max: 400 }) }) },
      { weight: 1, arbitrary: fc.constant('ask' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (script) => {
        const ranking = aRanking();
        const things: Thing[] = [];
        const expected = (): number | undefined =>
          things
            .filter(({ hasEnded }) => !hasEnded)
            .map(({ rank }) => rank)
            .toSorted((one, other) => other - one)[0];
        for (const one of script) {
          if (one === 'ask') expect(ranking.first()?.rank).toBe(expected());
          else if ('add' in one) {
            const thing = { rank: one.add, hasEnded: false };
            things.push(thing);
            ranking.add(thing);
          } else {
            const thing = things[one.end % Math.max(1, things.length)];
            if (thing !== undefined) thing.hasEnded = true;
          }
        }

        expect(ranking.first()?.rank).toBe(expected());
      }),
    );
  });

  it('returns the active entries in order, also after their ranks changed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 50 }), fc.boolean()), { maxLength: 200 }),
        (all) => {
          const ranking = new Ranking<{ rank: number; readonly hasEnded: boolean }>(
            (one, other) => one.rank > other.rank,
            ({ hasEnded }) => !hasEnded,
          );
          for (const [rank, hasEnded] of all) ranking.add({ rank, hasEnded });
          const first = ranking.take()?.rank;
          for (const thing of ranking.all) thing.rank = 50 - thing.rank;
          ranking.rank();

          const taken = Array.from({ length: all.length }, () => ranking.take()?.rank);

          const ranks = all.flatMap(([rank, hasEnded]) => (hasEnded ? [] : [rank]));
          const [best, ...others] = ranks.toSorted((one, other) => other - one);
          expect(first).toBe(best);
          expect(taken.filter((rank) => rank !== undefined)).toEqual(
            others.map((rank) => 50 - rank).toSorted((one, other) => other - one),
          );
        },
      ),
    );
  });

  it('removes ended entries that rank below an active one', () => {
    const ranking = aRanking();
    ranking.add({ rank: 1_000_000, hasEnded: false });

    for (let rank = 0; rank < 100_000; rank += 1) {
      const thing = { rank, hasEnded: false };
      ranking.add(thing);
      thing.hasEnded = true;
      ranking.first();
    }

    expect(ranking.first()?.rank).toBe(1_000_000);
    expect(ranking.all.length).toBeLessThan(200);
  });
});
