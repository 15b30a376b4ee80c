import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, parseUtc } from '../../../../src/domain/index.js';
import { foldLengthsOf, layOutFolds, wholeDaysOf } from '../../../../src/research/index.js';

const RANGE = { from: parseUtc('2024-01-01'), to: parseUtc('2024-04-10') };
const day = (number: number): number => RANGE.from + number * DAY_MS;

describe('layOutFolds', () => {
  it('moves both parts of a rolling fold', () => {
    const folds = layOutFolds(RANGE, { train: 40, test: 20, step: 20 }, 'rolling');

    expect(folds).toEqual([
      { train: { from: day(0), to: day(40) }, test: { from: day(40), to: day(60) } },
      { train: { from: day(20), to: day(60) }, test: { from: day(60), to: day(80) } },
      { train: { from: day(40), to: day(80) }, test: { from: day(80), to: day(100) } },
    ]);
  });

  it('grows the training part of an anchored fold', () => {
    const folds = layOutFolds(RANGE, { train: 40, test: 20, step: 30 }, 'anchored');

    expect(folds).toEqual([
      { train: { from: day(0), to: day(40) }, test: { from: day(40), to: day(60) } },
      { train: { from: day(0), to: day(70) }, test: { from: day(70), to: day(90) } },
    ]);
  });

  it('fills a range with folds inside it, with test parts that do not overlap', () => {
    const lengths = fc.record({
      train: fc.integer({ min: 1, max: 60 }),
      test: fc.integer({ min: 1, max: 20 }),
      gap: fc.integer({ min: 0, max: 9 }),
      left: fc.integer({ min: 0, max: 99 }),
    });
    fc.assert(
      fc.property(lengths, fc.constantFrom('rolling', 'anchored'), (drawn, window) => {
        const { train, test, gap, left } = drawn;
        const step = test + gap;
        const range = { from: RANGE.from, to: day(train + test + left) };

        const folds = layOutFolds(range, { train, test, step }, window);

        expect(folds).toHaveLength(Math.floor(left / step) + 1);
        let tested = Number.NEGATIVE_INFINITY;
        for (const { train: inside, test: outside } of folds) {
          expect(inside.from).toBeGreaterThanOrEqual(range.from);
          expect(outside.to).toBeLessThanOrEqual(range.to);
          expect(inside.to).toBe(outside.from);
          expect(outside.from).toBeGreaterThanOrEqual(tested);
          expect(outside.to - outside.from).toBe(test * DAY_MS);
          tested = outside.to;
        }
        expect(tested + step * DAY_MS).toBeGreaterThan(range.to);
      }),
    );
  });

  it.each([
    [
      { train: 90, test: 20, step: 20 },
      'expected whole days for at least one fold (90 days training, 20 days test), received 100 days from 2024-01-01T00:00:00Z to 2024-04-10T00:00:00Z',
    ],
    [
      { train: 10, test: 20, step: 1 },
      'expected --step of at least --test, 20 days, so that no day is tested twice, received 1 day',
    ],
  ])('refuses %o', (lengths, message) => {
    expect(() => layOutFolds(RANGE, lengths, 'rolling')).toThrow(
      expect.objectContaining({ code: 'E_FOLDS', message }),
    );
  });

  it('refuses a range without a whole day, and one with too many folds', () => {
    const short = wholeDaysOf({ from: day(0) + 1, to: day(1) + 2 });
    const long = { from: RANGE.from, to: day(1_002) };
    const lengths = { train: 1, test: 1, step: 1 };

    expect(() => layOutFolds(short, lengths, 'rolling')).toThrow('received 0 days');
    expect(() => layOutFolds(long, lengths, 'rolling')).toThrow(
      'expected at most 1000 folds, received 1001; take a longer --step',
    );
  });
});

describe('foldLengthsOf', () => {
  it.each([
    [{}, { train: 40, test: 10, step: 10 }],
    [{ test: 7 }, { train: 28, test: 7, step: 7 }],
    [
      { train: 30, test: 5, step: 6 },
      { train: 30, test: 5, step: 6 },
    ],
  ])('completes %o to fold lengths for a range of 100 days', (wanted, lengths) => {
    expect(foldLengthsOf(RANGE, wanted)).toEqual(lengths);
  });
});
