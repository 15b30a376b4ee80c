import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { computeStatistics } from '../../../src/report/index.js';
import { aRunFill, aRunRecord, dailyEquity } from '../../support/run-records.js';

/** Whole units, so that the curve is the same as text and as float64. */
const curve = fc.array(fc.integer({ min: 1_000, max: 100_000 }), { minLength: 2, maxLength: 120 });

const texts = (amounts: readonly number[]): string[] => amounts.map(String);

/** The formulas of DESIGN §9 written a second time, without regard for speed or exactness. */
function naive(amounts: readonly number[]) {
  const returns = amounts.slice(1).map((amount, index) => amount / (amounts[index] ?? NaN) - 1);
  const n = returns.length;
  const mean = returns.reduce((a, b) => a + b, 0) / n;
  const sd = Math.sqrt(returns.reduce((sum, r) => sum + Math.pow(r - mean, 2), 0) / (n - 1));
  const losses = returns.filter((r) => r < 0);
  const down = Math.sqrt(losses.reduce((sum, r) => sum + r * r, 0) / n);
  const falls = amounts.map(
    (amount, index) => 1 - amount / Math.max(...amounts.slice(0, index + 1)),
  );
  const days = amounts.map((_, index) => {
    const before = amounts.slice(0, index + 1);
    const peak = before.lastIndexOf(Math.max(...before));
    const regained = amounts.findIndex(
      (later, at) => at > index && later >= (amounts[peak] ?? NaN),
    );
    const end = regained === -1 ? amounts.length - 1 : regained;
    return peak === index ? 0 : end - peak;
  });
  return {
    totalReturn: (amounts.at(-1) ?? NaN) / (amounts[0] ?? NaN) - 1,
    cagr: Math.pow((amounts.at(-1) ?? NaN) / (amounts[0] ?? NaN), 365 / n) - 1,
    volatility: sd * Math.sqrt(365),
    sharpe: (mean / sd) * Math.sqrt(365),
    sortino: (mean / down) * Math.sqrt(365),
    maxDrawdown: Math.max(...falls),
    maxDrawdownDuration: Math.max(...days) * 86_400_000,
  };
}

describe('computeStatistics', () => {
  it('agrees with a second computation for any curve', () => {
    fc.assert(
      fc.property(curve, (amounts) => {
        const statistics = computeStatistics(aRunRecord(dailyEquity(texts(amounts))));
        const expected = naive(amounts);

        expect(statistics.totalReturn).toBeCloseTo(expected.totalReturn, 12);
        expect(statistics.maxDrawdown).toBeCloseTo(expected.maxDrawdown, 12);
        expect(statistics.maxDrawdownDuration).toBe(expected.maxDrawdownDuration);
        for (const figure of ['volatility', 'sharpe', 'sortino', 'cagr'] as const) {
          const value = statistics[figure];
          if (value === null) expect(amounts.length).toBeLessThan(31);
          else expect(value / expected[figure]).toBeCloseTo(1, 8);
        }
      }),
    );
  });

  it('measures a drawdown from 0 to 1', () => {
    fc.assert(
      fc.property(curve, (amounts) => {
        const { maxDrawdown } = computeStatistics(aRunRecord(dailyEquity(texts(amounts))));

        expect(maxDrawdown).toBeGreaterThanOrEqual(0);
        expect(maxDrawdown).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('gives the same ratios for an account of another size', () => {
    fc.assert(
      fc.property(curve, fc.constantFrom(2, 1_024), (amounts, factor) => {
        // Powers of two: neither the exact nor the float64 side rounds differently.
        const scaled = amounts.map((amount) => amount * factor);

        const statistics = computeStatistics(aRunRecord(dailyEquity(texts(scaled))));

        expect(statistics).toEqual(computeStatistics(aRunRecord(dailyEquity(texts(amounts)))));
      }),
    );
  });

  it('gives an annual figure only for at least 30 returns that differ', () => {
    fc.assert(
      fc.property(curve, (amounts) => {
        const { sharpe } = computeStatistics(aRunRecord(dailyEquity(texts(amounts))));
        const { volatility } = naive(amounts);

        expect(sharpe !== null).toBe(amounts.length > 30 && volatility > 0);
      }),
    );
  });

  it('adds up the turnover of the fills in any order', () => {
    const fill = fc.record({
      price: fc.integer({ min: 1, max: 1_000 }).map(String),
      quantity: fc.integer({ min: 1, max: 1_000 }).map(String),
    });
    fc.assert(
      fc.property(fc.array(fill, { maxLength: 20 }), (fills) => {
        const turnoverOf = (list: typeof fills) =>
          computeStatistics(aRunRecord({ fills: list.map((each) => aRunFill(each)) })).turnover;

        expect(turnoverOf(fills.toReversed())).toBe(turnoverOf(fills));
        expect(turnoverOf(fills)).toBe(
          fills.reduce((sum, { price, quantity }) => sum + Number(price) * Number(quantity), 0) /
            10_000,
        );
      }),
    );
  });
});
