import { describe, expect, it } from 'vitest';
import { DAY_MS, parseUtc } from '../../../../src/domain/index.js';
import type { Result } from '../../../../src/report/index.js';
import {
  monteCarloSchema,
  runMonteCarlo,
  writeDocument,
  type MonteCarloOptions,
} from '../../../../src/research/index.js';

const START = parseUtc('2024-01-01');

/** The parts of a result that are read: one trade a day with this profit or loss. */
function aResult(profits: readonly number[]): Result {
  const equities = [10_000];
  for (const profit of profits) equities.push((equities.at(-1) ?? 0) + profit);
  const trades = profits.map((profit, day) => ({
    entry: { time: START + day * DAY_MS },
    duration: DAY_MS,
    profit: String(profit),
  }));
  const run = { id: 'f'.repeat(64), strategy: 'Sma', parameters: { fast: 5 } };
  return {
    run: { ...run, from: START, to: START + profits.length * DAY_MS },
    equity: { initial: '10000', final: String(equities.at(-1)), currency: 'USDT' },
    equityCurve: equities.map((equity, day) => [START + day * DAY_MS, String(equity)]),
    trades,
  } as unknown as Result;
}

const PROFITS = Array.from(
  { length: 60 },
  (_, day) => Math.round(400 * Math.sin(7 * day * day)) + 20,
);

const run = (overrides: Partial<MonteCarloOptions> = {}): ReturnType<typeof runMonteCarlo> =>
  runMonteCarlo({ result: aResult(PROFITS), paths: 500, seed: 1, ruin: 0.1, ...overrides });

describe('runMonteCarlo', () => {
  it('returns the same result for the same seed, and another for another seed', async () => {
    const [one, again, other] = [await run(), await run(), await run({ seed: 2 })];

    expect(writeDocument(again)).toBe(writeDocument(one));
    expect(other.trades?.maxDrawdown.p50).not.toBe(one.trades?.maxDrawdown.p50);
    expect(other.days?.totalReturn.p50).not.toBe(one.days?.totalReturn.p50);
    expect(monteCarloSchema.parse(JSON.parse(writeDocument(one)))).toEqual(one);
  });

  it('gives total returns of days the spread of independent draws, around that of the run', async () => {
    const { days } = await run({ paths: 4_000, block: 1 });

    const logs = PROFITS.map((profit, day) => {
      const before = 10_000 + PROFITS.slice(0, day).reduce((sum, one) => sum + one, 0);
      return Math.log1p(profit / before);
    });
    const mean = logs.reduce((sum, log) => sum + log, 0) / 60;
    const spread = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0));
    const logOf = (value: number): number => (Math.log1p(value) - 60 * mean) / spread;
    // Standard errors of quantiles of 4,000 draws are about 0.02 in the middle and 0.035 at the ends.
    expect(Math.abs(logOf(days?.totalReturn.p50 ?? NaN))).toBeLessThan(0.1);
    expect(Math.abs(logOf(days?.totalReturn.p5 ?? NaN) + 1.645)).toBeLessThan(0.15);
    expect(Math.abs(logOf(days?.totalReturn.p95 ?? NaN) - 1.645)).toBeLessThan(0.15);
    expect(days?.totalReturn.run).toBeCloseTo(Math.expm1(60 * mean), 9);
  });

  it('rotates the days of the run for a block that is longer than the run', async () => {
    const { days } = await run({ block: 1_000_000 });

    // A path has each day once and begins at any day, so it ends like the run.
    expect(days?.totalReturn.p5).toBeCloseTo(days?.totalReturn.run ?? NaN, 9);
    expect(days?.totalReturn.p95).toBeCloseTo(days?.totalReturn.run ?? NaN, 9);
  });

  it('returns bands that end on the last day with the quantiles of its return', async () => {
    const { days } = await run();

    const last = days?.bands.at(-1);
    expect(days?.bands).toHaveLength(60);
    expect(last?.time).toBe(START + 60 * DAY_MS);
    expect((last?.p95 ?? NaN) - 1).toBeCloseTo(days?.totalReturn.p95 ?? NaN, 12);
    for (const { p5, p25, p50, p75, p95 } of days?.bands ?? [])
      expect([p5, p25, p50, p75, p95]).toEqual([p5, p25, p50, p75, p95].toSorted((a, b) => a - b));
  });

  it('returns as ruin the share of trade orders that lead to it', async () => {
    // Three trades have six orders. The two orders that begin with the loss lead to ruin.
    const { trades, days } = await run({
      result: aResult([-6_000, 6_000, 5_000]),
      paths: 6_000,
      ruin: 0.5,
    });

    expect(days).toBeNull();
    expect(trades?.count).toBe(3);
    expect(Math.abs((trades?.ruin ?? NaN) - 1 / 3)).toBeLessThan(0.02);
  });

  it('refuses a result with neither trades nor days', async () => {
    await expect(run({ result: aResult([]) })).rejects.toMatchObject({
      code: 'E_SAMPLE',
      message:
        'expected a result with a trade or at least 30 daily returns above ruin, received 0 trades and 0 daily returns',
    });
  });
});
