import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DAY_MS } from '../../../../src/domain/index.js';
import {
  binReturns,
  curveReturns,
  listDrawdowns,
  monthlyReturns,
  rollingFigures,
  type CurvePoint,
} from '../../../../src/report/index.js';
import { returnFigures } from '../../../../src/report/figures/return-figures.js';

/** 2025-01-30T00:00:00Z, two days before the end of a month. */
const START = Date.UTC(2025, 0, 30);

function curve(amounts: readonly string[], start = START): readonly CurvePoint[] {
  return amounts.map((amount, day) => [start + day * DAY_MS, amount] as const);
}

describe('curveReturns', () => {
  it('has a return for each whole day, also between points that are further apart', () => {
    const sparse: readonly CurvePoint[] = [
      [START, '100'],
      [START + DAY_MS / 2, '110'],
      [START + 3 * DAY_MS, '121'],
      [START + 3 * DAY_MS + 1, '130'],
      [START + 4.5 * DAY_MS, '143'],
    ];

    expect(curveReturns(sparse)).toEqual([
      { time: START + DAY_MS, value: 0.1 },
      { time: START + 2 * DAY_MS, value: 0 },
      { time: START + 3 * DAY_MS, value: 0.1 },
      { time: START + 4 * DAY_MS, value: curveReturns(curve(['121', '130']))[0]?.value },
    ]);
  });
});

describe('listDrawdowns', () => {
  it('lists drawdowns from peak to peak, the deepest first, and the open drawdown', () => {
    // 100 → 80 is 20 %, regained on day 2; 120 → 90 is 25 %, never regained.
    expect(listDrawdowns(curve(['100', '80', '100', '120', '90', '110']), 5)).toEqual([
      { from: START + 3 * DAY_MS, low: START + 4 * DAY_MS, to: null, depth: 0.25 },
      { from: START, low: START + DAY_MS, to: START + 2 * DAY_MS, depth: 0.2 },
    ]);
  });

  it('finds no drawdown in a rising curve, and keeps only the requested number', () => {
    expect(listDrawdowns(curve(['1', '2', '2', '3']), 5)).toEqual([]);
    expect(listDrawdowns(curve(['10', '9', '10', '8', '10']), 1)).toHaveLength(1);
  });

  it('finds no drawdown in a curve that begins without money, as the statistics', () => {
    expect(listDrawdowns(curve(['0', '100', '50']), 5)).toEqual([]);
    expect(listDrawdowns([], 5)).toEqual([]);
  });
});

describe('monthlyReturns', () => {
  it('counts a midnight to the day before it, and adds the whole year', () => {
    // January: 100 → 110 on its last midnight, which is February 1; February: 110 → 99.
    expect(monthlyReturns(curve(['100', '105', '110', '99']))).toEqual([
      { year: 2025, month: 1, value: 0.1 },
      { year: 2025, month: 2, value: -0.1 },
      { year: 2025, month: 0, value: -0.01 },
    ]);
  });

  it('begins a year with the equity at the end of the year before', () => {
    const years = monthlyReturns(curve(['100', '100', '120'], Date.UTC(2024, 11, 31)));

    expect(years.filter(({ month }) => month === 0)).toEqual([
      { year: 2024, month: 0, value: 0 },
      { year: 2025, month: 0, value: 0.2 },
    ]);
  });
});

describe('binReturns', () => {
  it('counts every value once, and never puts losses and profits into one bin', () => {
    const bins = binReturns([-0.05, -0.001, 0, 0.001, 0.02, 0.099]);

    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(6);
    expect(bins.every(({ from, to }) => from >= 0 || to <= 0)).toBe(true);
  });

  it('has bins of 1, 2 or 5 times a power of ten, the narrowest with which forty cover the values', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 2 }), (drawn) => {
        const values = drawn.map((one) => one / 10_000);
        const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
        fc.pre(low < high);

        const bins = binReturns(values);

        const widths = [1, 2, 3, 4, 5].flatMap((power) =>
          [5, 2, 1].map((one) => one / 10 ** power),
        );
        const width = widths.filter((one) => one * 40 >= (high - low) * (1 - 1e-12)).at(-1) ?? 0;
        for (const { from, to, count } of bins) {
          expect(to - from).toBeCloseTo(width, 9);
          const inside = values.filter((one) => one > from + 1e-9 && one < to - 1e-9).length;
          expect(count).toBeGreaterThanOrEqual(inside);
        }
        expect(bins[0]?.from).toBeLessThanOrEqual(low + 1e-9);
        expect(bins.at(-1)?.to).toBeGreaterThanOrEqual(high - 1e-9);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      }),
    );
  });

  it('has one bin if all values are 0, and no bin without values', () => {
    expect(binReturns([0, 0])).toEqual([{ from: 0, to: 0, count: 2 }]);
    expect(binReturns([])).toEqual([]);
  });
});

describe('rollingFigures', () => {
  it('equals the figures of the statistics for each stretch of days', () => {
    const amounts = Array.from({ length: 40 }, (_, day) => String(1_000 + ((day * 37) % 101)));
    const returns = curveReturns(curve(amounts));

    const points = rollingFigures(returns, 30);

    const growth = { initialEquity: 1n, finalEquity: 1n, durationMs: 1 };
    const values = returns.map(({ value }) => value);
    expect(points).toHaveLength(10);
    expect(points[4]).toMatchObject({
      time: returns[33]?.time,
      sharpe: returnFigures(values.slice(4, 34), growth).sharpe,
      volatility: returnFigures(values.slice(4, 34), growth).volatility,
    });
  });
});
