import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, parseUtc } from '../../../../src/domain/index.js';
import {
  annualReturnOf,
  efficiencyOf,
  stitch,
  stitchedFigures,
  type TestedFold,
} from '../../../../src/research/walk-forward/stitch.js';
import { aFinishedTrial } from '../../../support/research/trials.js';

const START = parseUtc('2024-01-01');

/** A test of whole days. `equities` holds the equity at the start and at the end of each day. */
function tested(fromDay: number, equities: readonly number[]): TestedFold {
  const from = START + fromDay * DAY_MS;
  const to = from + (equities.length - 1) * DAY_MS;
  const equity = {
    initial: String(equities[0]),
    final: String(equities.at(-1)),
    currency: 'USDT',
  };
  const changes = equities.slice(1).map((value, day) => value / (equities[day] ?? 1) - 1);
  return {
    test: { from, to },
    outside: aFinishedTrial(1, { from, to, equity }),
    returns: { from: from + DAY_MS, values: Float64Array.from(changes) },
  };
}

describe('stitch', () => {
  it('chains test parts, each starting at the value at which the previous part ended', () => {
    const { points, returns } = stitch([tested(0, [100, 110, 121]), tested(2, [100, 50])]);

    expect(points.map(({ time }) => (time - START) / DAY_MS)).toEqual([0, 1, 2, 3]);
    const values = points.map(({ value }) => value);
    expect(values).toEqual([1, expect.closeTo(1.1, 12), 1.21, 0.605]);
    expect(returns).toEqual([expect.closeTo(0.1, 12), expect.closeTo(0.1, 12), -0.5]);
  });

  it('stays constant over days without a test', () => {
    const { points } = stitch([tested(0, [100, 110]), tested(5, [100, 110])]);

    expect(points.map(({ time }) => (time - START) / DAY_MS)).toEqual([0, 1, 5, 6]);
    expect(points.map(({ value }) => value)).toEqual([1, 1.1, 1.1, expect.closeTo(1.21, 12)]);
  });

  it('ends at 0 after ruin', () => {
    const ruined = { ...tested(1, [100, -5]), returns: undefined };
    const folds = [tested(0, [100, 110]), ruined, tested(2, [100, 200])];

    const curve = stitch(folds);

    expect(curve.points.map(({ value }) => value)).toEqual([1, 1.1, 0]);
    expect(stitchedFigures(folds, curve)).toMatchObject({ totalReturn: -1, maxDrawdown: 1 });
  });

  it('has no figures of daily returns if a ruin leaves some of them out, as a run has none', () => {
    const rising = Array.from({ length: 41 }, (_, day) => 100 + day + (day % 2));
    const ruined = { ...tested(40, [100, -5, -5]), returns: undefined };
    const folds = [tested(0, rising), ruined];

    const curve = stitch(folds);

    expect(curve.returns).toEqual([]);
    expect(stitchedFigures(folds, curve)).toMatchObject({
      cagr: null,
      volatility: null,
      sharpe: null,
      sortino: null,
    });
  });

  it('restores a curve from any two parts of it', () => {
    const changes = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), {
      minLength: 2,
      maxLength: 30,
    });
    fc.assert(
      fc.property(changes, fc.nat(), (factors, seed) => {
        const equities = [100];
        for (const factor of factors) equities.push((equities.at(-1) ?? 0) * factor);
        const cut = 1 + (seed % (factors.length - 1));

        const whole = stitch([tested(0, equities)]);
        const parts = stitch([
          tested(0, equities.slice(0, cut + 1)),
          tested(cut, equities.slice(cut)),
        ]);

        expect(parts.points.map(({ time }) => time)).toEqual(whole.points.map(({ time }) => time));
        for (const [index, { value }] of whole.points.entries())
          expect((parts.points[index]?.value ?? 0) / value).toBeCloseTo(1, 9);
        expect(parts.returns).toEqual(whole.returns);
      }),
    );
  });
});

describe('stitchedFigures', () => {
  it('returns the figures of one run over all days', () => {
    // The 366 days of 2024, in which equity doubles.
    const equities = Array.from({ length: 367 }, (_, day) => 100 * 2 ** (day / 366) + (day % 2));
    equities[366] = 200;
    const folds = [tested(0, equities)];

    const figures = stitchedFigures(folds, stitch(folds));

    expect(figures.totalReturn).toBe(1);
    expect(figures.cagr).toBeCloseTo(2 ** (365 / 366) - 1, 12);
    expect(figures.sharpe).toBeGreaterThan(0);
    expect(figures.maxDrawdown).toBeCloseTo(
      1 -
        Math.min(
          ...equities.slice(1).map((value, day) => value / Math.max(...equities.slice(0, day + 2))),
        ),
      9,
    );
  });
});

describe('annualReturnOf', () => {
  it('returns the annual growth of all runs together', () => {
    const year = (fromDay: number, final: number): TestedFold['outside'] => {
      const from = START + fromDay * DAY_MS;
      const equity = { initial: '100', final: String(final), currency: 'USDT' };
      return aFinishedTrial(1, { from, to: from + 365 * DAY_MS, equity });
    };

    expect(annualReturnOf([year(0, 144)])).toBeCloseTo(0.44, 12);
    expect(annualReturnOf([year(0, 144), year(365, 100)])).toBeCloseTo(0.2, 12);
    expect(annualReturnOf([year(0, 144), year(365, -1)])).toBeNull();
  });
});

describe('efficiencyOf', () => {
  it.each([
    [0.4, 0.1, 0.25],
    [0.4, -0.1, -0.25],
    [0, 0.1, null],
    [-0.2, 0.1, null],
    [null, 0.1, null],
    [0.4, null, null],
  ])('of a return of %s in sample and %s out of sample is %s', (inside, outside, efficiency) => {
    expect(efficiencyOf(inside, outside)).toBe(efficiency);
  });
});
