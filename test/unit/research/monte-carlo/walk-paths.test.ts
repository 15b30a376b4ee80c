import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantilesOf } from '../../../../src/research/monte-carlo/quantiles.js';
import { tradeChanges } from '../../../../src/research/monte-carlo/trade-changes.js';
import { walkPath, walkPaths } from '../../../../src/research/monte-carlo/walk-paths.js';

const changes = fc
  .array(fc.double({ min: -0.9, max: 2, noNaN: true }), { minLength: 1, maxLength: 40 })
  .map((values) => Float64Array.from(values));

describe('walkPath', () => {
  it('returns the total return, the maximum drawdown, the longest fall and the lowest value', () => {
    // 1, 1.5, 0.75, 0.9, 1.8, 1.62
    const path = Float64Array.from([0.5, -0.5, 0.2, 1, -0.1]);

    const { totalReturn, maxDrawdown, longestFall, lowest } = walkPath(path, [0, 1, 2, 3, 4]);

    expect(totalReturn).toBeCloseTo(0.62, 12);
    expect(maxDrawdown).toBeCloseTo(0.5, 12);
    // From the second value to the one before the fifth.
    expect(longestFall).toBe(2);
    expect(lowest).toBe(0.75);
  });

  it('stays at 0 after a total loss', () => {
    const values: number[] = [];

    const figures = walkPath(Float64Array.from([0.5, -1.5, 3]), [0, 1, 2], (_, value) => {
      values.push(value);
    });

    expect(values).toEqual([1.5, 0, 0]);
    expect(figures).toEqual({ totalReturn: -1, maxDrawdown: 1, longestFall: 2, lowest: 0 });
  });

  it('returns the same total return for every order', () => {
    fc.assert(
      fc.property(changes, fc.infiniteStream(fc.nat()), (values, drawn) => {
        const order = [...values.keys()];
        const shuffled = order
          .map((place) => [drawn.next().value as number, place] as const)
          .sort(([a], [b]) => a - b)
          .map(([, place]) => place);

        const [one, other] = [walkPath(values, order), walkPath(values, shuffled)];

        expect((1 + other.totalReturn) / (1 + one.totalReturn)).toBeCloseTo(1, 9);
      }),
    );
  });
});

describe('walkPaths', () => {
  it('counts losing and ruined paths, and keeps values of marked steps', async () => {
    const orders = [
      [0, 0, 0],
      [1, 1, 1],
      [1, 0, 0],
      [1, 1, 0],
    ];
    let next = 0;

    const many = await walkPaths({
      changes: Float64Array.from([1, -0.5]),
      paths: 4,
      ruin: 0.75,
      draw: () => orders[next++] ?? [],
      marked: [1, 3],
    });

    expect([...many.totalReturn]).toEqual([7, -0.875, 1, -0.5]);
    // The third path falls by half, which is no ruin. The fourth falls by three quarters and ends at half.
    expect([many.losing, many.ruined]).toEqual([2, 2]);
    expect(many.marks.map((values) => [...values])).toEqual([
      [2, 0.5, 0.5, 0.5],
      [8, 0.125, 2, 0.5],
    ]);
  });

  it('rejects with the error of breathe', async () => {
    const walked = walkPaths({
      changes: Float64Array.from([0.1]),
      paths: 10,
      ruin: 0.5,
      draw: () => [0],
      breathe: () => Promise.reject(new Error('enough')),
    });

    await expect(walked).rejects.toThrow('enough');
  });
});

describe('quantilesOf', () => {
  it('interpolates between neighboring values', () => {
    const values = Float64Array.from({ length: 101 }, (_, index) => 100 - index);

    expect(quantilesOf(values)).toEqual({ p5: 5, p25: 25, p50: 50, p75: 75, p95: 95 });
    expect(quantilesOf(Float64Array.from([3, 1]))).toEqual({
      p5: expect.closeTo(1.1, 12),
      p25: 1.5,
      p50: 2,
      p75: 2.5,
      p95: expect.closeTo(2.9, 12),
    });
    expect(quantilesOf(Float64Array.of(7)).p95).toBe(7);
  });
});

describe('tradeChanges', () => {
  const trade = (ended: number, profit: string): never =>
    ({ entry: { time: ended - 10 }, duration: 10, profit }) as never;
  const equity = { initial: '100', final: '110', currency: 'USDT' };

  it('divides each profit by the equity after the trades that ended before', () => {
    const trades = [trade(30, '-20'), trade(20, '50'), trade(40, '13')];

    expect([...(tradeChanges({ trades, equity }) ?? [])]).toEqual([0.5, -20 / 150, 0.1]);
  });

  it.each([
    ['no list of trades', undefined],
    ['no trades', []],
    ['nothing left before the last', [trade(1, '-100'), trade(2, '1')]],
  ])('returns undefined for %s', (_, trades) => {
    expect(tradeChanges({ trades, equity })).toBeUndefined();
  });
});
