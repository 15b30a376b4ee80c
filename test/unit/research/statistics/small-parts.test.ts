import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { eigenvaluesOf } from '../../../../src/research/statistics/eigenvalues.js';
import { effectiveTrials } from '../../../../src/research/statistics/effective-trials.js';
import { luckOfBest } from '../../../../src/research/statistics/expected-maximum.js';
import { adjustPValues } from '../../../../src/research/statistics/haircut.js';
import { momentsOf, sharpeOf } from '../../../../src/research/statistics/moments.js';

describe('momentsOf', () => {
  it('returns the moments of a sample, computed by hand', () => {
    // Mean 2, deviations −1, 0, −1, 2: squares 1, 0, 1, 4; cubes −1, 0, −1, 8; fourths 1, 0, 1, 16; neighbors 0, 0, −2.
    const found = momentsOf([1, 2, 1, 4]);
    expect(found).toMatchObject({ count: 4, mean: 2, variance: 2 });
    expect(found?.skewness).toBeCloseTo(6 / 4 / 1.5 ** 1.5, 14);
    expect(found?.kurtosis).toBeCloseTo(18 / 4 / 1.5 ** 2, 14);
    expect(found?.autocorrelation).toBeCloseTo(-2 / 6, 14);
  });

  it('returns no variance for equal returns, and a Sharpe ratio of 0', () => {
    const flat = momentsOf([0.1, 0.1, 0.1]);
    expect(flat).toMatchObject({ variance: 0, skewness: 0, kurtosis: 3, autocorrelation: 0 });
    expect(flat && sharpeOf(flat)).toBe(0);
  });

  it('returns undefined for fewer than two returns', () => {
    expect(momentsOf([0.1])).toBeUndefined();
  });
});

describe('eigenvaluesOf', () => {
  it('returns the eigenvalues of a chain: 2 − 2·cos(kπ/(n + 1))', () => {
    const size = 9;
    const values = new Float64Array(size * size);
    for (let row = 0; row < size; row += 1) {
      values[row * size + row] = 2;
      if (row > 0) values[row * size + row - 1] = -1;
    }
    const expected = Array.from(
      { length: size },
      (_, k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / (size + 1)),
    );
    const found = [...eigenvaluesOf({ size, values })].sort((a, b) => a - b);
    for (const [index, value] of expected.entries()) expect(found[index]).toBeCloseTo(value, 13);
  });

  it('law: the eigenvalues sum to the trace, and their squares to the squares of all elements', () => {
    const matrix = fc.integer({ min: 1, max: 8 }).chain((size) =>
      fc.array(fc.integer({ min: -9, max: 9 }), {
        minLength: size * size,
        maxLength: size * size,
      }),
    );
    fc.assert(
      fc.property(matrix, (list) => {
        const size = Math.sqrt(list.length);
        const at = (row: number, column: number): number =>
          list[Math.max(row, column) * size + Math.min(row, column)] ?? NaN;
        const found = eigenvaluesOf({ size, values: Float64Array.from(list) });
        let [trace, squares] = [0, 0];
        for (let row = 0; row < size; row += 1) {
          trace += at(row, row);
          for (let column = 0; column < size; column += 1) squares += at(row, column) ** 2;
        }
        expect(found.reduce((sum, value) => sum + value, 0)).toBeCloseTo(trace, 9);
        expect(found.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(squares, 8);
      }),
    );
  });
});

describe('effectiveTrials', () => {
  const column = (step: number): Float64Array =>
    Float64Array.from({ length: 64 }, (_, day) => Math.cos((2 * Math.PI * step * day) / 64));

  it('counts each independent trial, copies once, and constant trials not at all', () => {
    const [one, two, three] = [column(1), column(2), column(3)];
    const count = (columns: readonly Float64Array[]): number =>
      effectiveTrials({ days: 64, columns });
    expect(count([one, two, three])).toBeCloseTo(3, 12);
    expect(count([one, one, one, new Float64Array(64)])).toBeCloseTo(1, 12);
    expect(count([new Float64Array(64)])).toBe(0);
  });

  it.each([7, 8])('does not depend on the size of the returns, with %d days', (days) => {
    const draws = [1.7, 2.3, 3.1].map((step) =>
      Float64Array.from({ length: days }, (_, day) => Math.sin(step * (day + 1))),
    );
    const scaled = draws.map((values, trial) =>
      values.map((value) => 100 ** trial * value + trial),
    );
    const count = effectiveTrials({ days, columns: draws });
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThan(3);
    expect(effectiveTrials({ days, columns: scaled })).toBeCloseTo(count, 9);
  });

  it.each([7, 8])(
    'counts as one what differs only on the last of %d days where all is paid',
    (days) => {
      // Both have their whole variance there: without that day they would be flat.
      const last = Float64Array.from({ length: days }, (_, day) => (day === days - 1 ? 1 : 0));
      expect(effectiveTrials({ days, columns: [last, last] })).toBeCloseTo(1, 12);
    },
  );

  it('returns the same by the matrix of days as by the matrix of trials', () => {
    // With 12 trials of 8 days the matrix of days is the smaller one. With the days repeated to 16, the matrix of trials is.
    const columns = Array.from({ length: 12 }, (_, trial) =>
      Float64Array.from({ length: 8 }, (__, day) => Math.sin((trial + 1) * (day + 2) * 1.7)),
    );
    const twice = columns.map((values) => Float64Array.of(...values, ...values));
    expect(effectiveTrials({ days: 8, columns })).toBeCloseTo(
      effectiveTrials({ days: 16, columns: twice }),
      10,
    );
  });
});

describe('luckOfBest', () => {
  it('returns the one-sided p-value for one trial, and 1 − (1 − p)^N for N trials', () => {
    // 1.6448536… standard errors: 5 %.
    const sharpe = 1.6448536269514722 / 20;
    expect(luckOfBest({ sharpe, count: 400, trials: 1 })).toBeCloseTo(0.05, 14);
    expect(luckOfBest({ sharpe, count: 400, trials: 14 })).toBeCloseTo(1 - 0.95 ** 14, 14);
  });
});

describe('adjustPValues', () => {
  it('returns the adjustments computed by hand', () => {
    const { bonferroni, holm, bhy, sidak } = adjustPValues([0.04, 0.01, 0.02]);
    const close = (list: readonly number[]): readonly number[] =>
      list.map((value) => Number(value.toFixed(12)));
    expect(close(bonferroni)).toEqual([0.12, 0.03, 0.06]);
    // 3 × 0.01, 2 × 0.02, 1 × 0.04 in rising order.
    expect(close(holm)).toEqual([0.04, 0.03, 0.04]);
    // (1 + 1/2 + 1/3) × 3 × p ÷ rank: 0.055, 0.055, 0.0733.
    expect(close(bhy)).toEqual([0.073333333333, 0.055, 0.055]);
    expect(close(sidak)).toEqual([0.115264, 0.029701, 0.058808]);
  });

  it('law: Holm is never above Bonferroni, and no adjusted value is above 1 or out of order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 20 }),
        (thousandths) => {
          const p = thousandths.map((value) => value / 1000);
          const adjusted = adjustPValues(p);
          const order = p.map((_, index) => index).sort((a, b) => (p[a] ?? 0) - (p[b] ?? 0));
          for (const list of Object.values(adjusted) as (readonly number[])[]) {
            const rising = order.map((index) => list[index] ?? NaN);
            expect(rising.every((value, at) => value <= 1 && value >= (rising[at - 1] ?? 0))).toBe(
              true,
            );
          }
          const { holm, bonferroni } = adjusted;
          expect(holm.every((value, at) => value <= (bonferroni[at] ?? 0) + 1e-15)).toBe(true);
        },
      ),
    );
  });
});
