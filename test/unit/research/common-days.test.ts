import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/domain/index.js';
import { commonDays, hasDays } from '../../../src/research/significance/common-days.js';

const day = (number: number): number => number * DAY_MS;
const span = (from: number, to: number): { from: number; to: number } => ({
  from: day(from),
  to: day(to),
});

describe('commonDays', () => {
  it('returns the days of all trials if they are equal', () => {
    expect(commonDays([span(1, 40), span(1, 40)])).toEqual({ ...span(1, 40), days: 40 });
  });

  it('leaves out a trial if the table without it is larger', () => {
    const trials = [span(1, 400), span(1, 400), span(1, 400), span(361, 400)];
    expect(commonDays(trials)).toEqual({ ...span(1, 400), days: 400 });
  });

  it('cuts the days to the latest start of the trials', () => {
    const trials = [span(1, 400), span(6, 400), span(11, 400)];
    expect(commonDays(trials)).toEqual({ ...span(11, 400), days: 390 });
  });

  it('takes of tables of one size the one that begins first, then the one that ends first', () => {
    const early = [span(1, 40), span(1, 40)];
    const late = [span(101, 140), span(101, 140)];
    expect(commonDays([...late, ...early])).toEqual({ ...span(1, 40), days: 40 });
    // Three of 40 days, or two of 60.
    const long = [span(1, 60), span(1, 60), span(1, 40)];
    expect(commonDays(long)).toEqual({ ...span(1, 40), days: 40 });
  });

  it.each([
    ['one trial', [span(1, 400)]],
    ['29 days in common', [span(1, 40), span(12, 60)]],
    ['none at all', []],
  ])('returns undefined for %s', (_, trials) => {
    expect(commonDays(trials)).toBeUndefined();
  });

  it('law: no other days give a larger table of 30 days or more', () => {
    const spans = fc
      .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 35, max: 50 }))
      .map(([from, to]) => span(from, to));
    fc.assert(
      fc.property(fc.array(spans, { minLength: 2, maxLength: 12 }), (trials) => {
        const cells = (from: number, to: number): number => {
          const days = { from: day(from), to: day(to), days: to - from + 1 };
          const covering = trials.filter((trial) => hasDays(trial, days)).length;
          return covering < 2 || days.days < 30 ? 0 : covering * days.days;
        };
        let most = 0;
        for (let from = 0; from <= 9; from += 1)
          for (let to = 35; to <= 50; to += 1) most = Math.max(most, cells(from, to));
        const found = commonDays(trials);
        expect(found === undefined ? 0 : cells(found.from / DAY_MS, found.to / DAY_MS)).toBe(most);
      }),
    );
  });
});
