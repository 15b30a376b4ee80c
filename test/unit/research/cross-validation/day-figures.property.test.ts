import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { figuresOfDays } from '../../../../src/research/cross-validation/day-figures.js';

/** Daily returns in hundredths of a percent, at least 30 of them, and not all equal. */
const returnsDrawn = fc
  .array(fc.integer({ min: -2_000, max: 2_000 }), { minLength: 30, maxLength: 400 })
  .filter((all) => new Set(all).size > 1)
  .map((all) => all.map((one) => one / 10_000));

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** The definitions of docs/report.md in the plainest form. */
function plainFigures(returns: readonly number[]) {
  const count = returns.length;
  const values = returns.reduce<number[]>(
    (all, one) => [...all, (all.at(-1) ?? 1) * (1 + one)],
    [],
  );
  const end = values.at(-1) ?? 1;
  const falls = values.map((value, day) => 1 - value / Math.max(1, ...values.slice(0, day + 1)));
  const mean = sumOf(returns) / count;
  const deviation = Math.sqrt(sumOf(returns.map((one) => (one - mean) ** 2)) / (count - 1));
  const downside = Math.sqrt(sumOf(returns.map((one) => Math.min(one, 0) ** 2)) / count);
  const [cagr, maxDrawdown] = [end ** (365 / count) - 1, Math.max(0, ...falls)];
  return {
    totalReturn: end - 1,
    cagr,
    volatility: deviation * Math.sqrt(365),
    sharpe: (mean / deviation) * Math.sqrt(365),
    sortino: downside === 0 ? null : (mean / downside) * Math.sqrt(365),
    calmar: maxDrawdown === 0 ? null : cagr / maxDrawdown,
    maxDrawdown,
  };
}

describe('figures of the days of a split', () => {
  it('are those of the plain definitions', () => {
    fc.assert(
      fc.property(returnsDrawn, (returns) => {
        const told = figuresOfDays(returns);

        for (const [name, plain] of Object.entries(plainFigures(returns))) {
          const figure = told[name as keyof typeof told];
          if (plain === null) expect(figure, name).toBeNull();
          else
            expect(Math.abs((figure ?? Number.NaN) - plain), name).toBeLessThan(
              1e-6 + 1e-6 * Math.abs(plain),
            );
        }
      }),
    );
  });

  it('need 30 returns that differ, except for the return and the drawdown', () => {
    const few = figuresOfDays(
      Array.from({ length: 29 }, (_, day) => (day % 2 === 0 ? 0.01 : -0.01)),
    );
    const equal = figuresOfDays(Array.from({ length: 60 }, () => 0.01));

    const unknown = { cagr: null, volatility: null, sharpe: null, sortino: null, calmar: null };
    expect(few).toMatchObject(unknown);
    expect(equal).toMatchObject({ ...unknown, maxDrawdown: 0 });
    expect(few.maxDrawdown).toBeGreaterThan(0);
    expect(equal.totalReturn).toBeCloseTo(1.01 ** 60 - 1, 12);
  });
});
