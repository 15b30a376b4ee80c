/** Figures of the papers, to the digits that the papers print, and of closed forms. */
import { describe, expect, it } from 'vitest';
import {
  deflatedSharpe2014,
  deflatedSharpe2026,
  luckySharpe,
  minimumBacktestYears,
} from '../../../../src/research/statistics/deflated-sharpe.js';
import { effectiveRank } from '../../../../src/research/statistics/effective-trials.js';
import {
  expectedMaximum,
  momentsOfMaximum,
} from '../../../../src/research/statistics/expected-maximum.js';
import {
  bonferroniOf,
  pValueOf,
  sharpeAt,
  sidakOf,
} from '../../../../src/research/statistics/haircut.js';
import { normalCdf, normalQuantile } from '../../../../src/research/statistics/normal.js';
import {
  minimumTrackRecord2012,
  minimumTrackRecord2026,
  probabilisticSharpe2012,
  probabilisticSharpe2026,
  sharpeVariance2026,
} from '../../../../src/research/statistics/probabilistic-sharpe.js';

/** Hedge funds of the paper of 2012: monthly. */
const FUND = { sharpe: 1.585 / Math.sqrt(12), count: 24, skewness: -2.448, kurtosis: 10.164 };
/** The same in the edition of 2026. */
const MONTHS = { ...FUND, sharpe: 0.036 / 0.079 };
/** The paper of 2014: 2.5 a year over five years of 250 days. */
const FIVE_YEARS = { sharpe: 2.5 / Math.sqrt(250), count: 1250 };
const FAT = { skewness: -3, kurtosis: 10 };
const VARIANCE = 0.5 / 250;

describe('normal distribution', () => {
  it.each([
    [0, 0.5],
    [1, 0.841344746068542949],
    [-1.6448536269514722, 0.05],
    [-2.5, 0.00620966532577613],
    [-2.51, 0.006036558080412642],
    [-5, 2.866515718791939e-7],
    [-10, 7.619853024160526e-24],
    [8, 0.9999999999999993779],
  ])('normalCdf(%d) is %d', (x, share) => {
    expect(Math.abs(normalCdf(x) / share - 1)).toBeLessThan(1e-12);
  });

  it('returns the limits at its ends, and NaN for invalid input', () => {
    expect([-Infinity, Infinity].map(normalCdf)).toEqual([0, 1]);
    expect([0, 1, -0.1].map(normalQuantile)).toEqual([-Infinity, Infinity, NaN]);
    expect(normalCdf(NaN)).toBeNaN();
  });

  it.each([1e-300, 1e-20, 1e-9, 0.001, 0.02425, 0.07, 0.3, 0.5, 0.7, 0.975, 0.999])(
    'normalCdf returns %d at its quantile',
    (share) => {
      // A relative error ε of x changes ln p by x²·ε, so the remaining error is the rounding of the quantile itself.
      expect(Math.abs(normalCdf(normalQuantile(share)) / share - 1)).toBeLessThan(4e-13);
    },
  );
});

describe('probabilistic Sharpe ratio, 2012', () => {
  it('equals the value of the paper', () => {
    expect(probabilisticSharpe2012(FUND)).toBeCloseTo(0.91323430688486, 14);
  });

  it.each([
    [{ sharpe: 2 / Math.sqrt(250) }, 1 / Math.sqrt(250), 250, 2.731187801728176, 14],
    [{ sharpe: 2 / Math.sqrt(52) }, 1 / Math.sqrt(52), 52, 2.828833586945237, 14],
    [
      { sharpe: 3 / Math.sqrt(12), skewness: -0.72, kurtosis: 5.78 },
      2.5 / Math.sqrt(12),
      12,
      27.35292019604,
      11,
    ],
  ])(
    'needs the track record of the paper in years: %o',
    (sample, benchmark, perYear, years, digits) => {
      expect(minimumTrackRecord2012(sample, benchmark) / perYear).toBeCloseTo(years, digits);
    },
  );

  it('needs an infinite track record if the benchmark is not below the Sharpe ratio', () => {
    expect(minimumTrackRecord2012({ sharpe: 0.1 }, 0.1)).toBe(Infinity);
    expect(minimumTrackRecord2026({ sharpe: 0.1 }, 0.2)).toBe(Infinity);
  });
});

describe('Sharpe ratio, 2026', () => {
  it.each([
    [0, 0.329, 0.987, 0.939, 13.029, 27.109],
    [0.2, 0.379, 0.966, 0.9, 19.543, 39.369],
  ])(
    'has the figures of the paper at ρ = %d',
    (autocorrelation, spread, overZero, over, length, longer) => {
      const sample = { ...MONTHS, autocorrelation };
      expect(Math.sqrt(sharpeVariance2026(sample))).toBeCloseTo(spread, 3);
      expect(probabilisticSharpe2026(sample)).toBeCloseTo(overZero, 3);
      expect(probabilisticSharpe2026(sample, 0.1)).toBeCloseTo(over, 3);
      expect(minimumTrackRecord2026(sample)).toBeCloseTo(length, 3);
      expect(minimumTrackRecord2026(sample, 0.1)).toBeCloseTo(longer, 3);
    },
  );

  it.each([
    [0, 0.41636],
    [0.2, 0.427178],
  ])('is deflated as in the paper at ρ = %d', (autocorrelation, deflated) => {
    const search = { trials: 10, variance: 0.1 };
    const sample = { ...MONTHS, autocorrelation };
    expect(luckySharpe(search)).toBeCloseTo(0.497932, 6);
    expect(deflatedSharpe2026(sample, search)).toBeCloseTo(deflated, 6);
  });
});

describe('what a sample leaves out', () => {
  it('counts as normal and without autocorrelation', () => {
    const sample = { sharpe: 0.2, count: 100 };
    const full = { ...sample, skewness: 0, kurtosis: 3, autocorrelation: 0 };
    // (1 + SR²/2) ÷ T.
    expect(sharpeVariance2026(sample)).toBeCloseTo(1.02 / 100, 15);
    expect(sharpeVariance2026(sample)).toBe(sharpeVariance2026(full));
    expect(probabilisticSharpe2012(sample)).toBe(probabilisticSharpe2012(full));
  });
});

describe('expected maximum', () => {
  it('is above 0 from two trials on, also between two and one', () => {
    // γ·Φ⁻¹(1 − 1/(2e)), because the median Φ⁻¹(1/2) is 0.
    const two = 0.5772156649015329 * normalQuantile(1 - 1 / (2 * Math.E));
    expect(luckySharpe({ trials: 2, variance: 4 })).toBeCloseTo(2 * two, 14);
    expect(luckySharpe({ trials: 1.5, variance: 4 })).toBeGreaterThan(0);
    expect(luckySharpe({ trials: 1, variance: 4 })).toBe(0);
  });

  it.each([
    [10, 1.57459830134575, 14],
    [100, 2.5306028932016846, 15],
    [1000, 3.255121513652723, 14],
  ])('equals the known value for %d trials', (trials, expected, digits) => {
    expect(expectedMaximum(trials)).toBeCloseTo(expected, digits);
  });

  it('is 0 for a single trial, not NaN', () => {
    expect(expectedMaximum(1)).toBe(0);
  });

  it('is never below 0: an effective number may be little more than 1', () => {
    expect([1.0001, 1.1, 1.28].map(expectedMaximum)).toEqual([0, 0, 0]);
    expect(expectedMaximum(1.29)).toBeGreaterThan(0);
    expect(expectedMaximum(1.29)).toBeLessThan(0.01);
  });

  it('differs from the exact maximum by 2.3 % at 10 trials, and by −8 % at 2', () => {
    expect(momentsOfMaximum(10).mean).toBeCloseTo(1.538753, 6);
    expect(expectedMaximum(10) / momentsOfMaximum(10).mean - 1).toBeCloseTo(0.023, 3);
    // The exact maximum of two is 1/√π, with variance 1 − 1/π.
    expect(momentsOfMaximum(2).mean).toBeCloseTo(1 / Math.sqrt(Math.PI), 13);
    expect(momentsOfMaximum(2).variance).toBeCloseTo(1 - 1 / Math.PI, 13);
    expect(expectedMaximum(2) / momentsOfMaximum(2).mean - 1).toBeCloseTo(-0.08, 2);
  });
});

describe('deflated Sharpe ratio, 2014', () => {
  it('equals the value of the paper', () => {
    const search = { trials: 100, variance: VARIANCE };
    expect(luckySharpe(search)).toBeCloseTo(0.113172001865, 12);
    expect(deflatedSharpe2014({ ...FIVE_YEARS, ...FAT }, search)).toBeCloseTo(0.90039683444939, 14);
  });

  it.each([
    [46, FAT, 0.9505017068755786],
    [88, {}, 0.9504908166760138],
  ])('is still above 0.95 after %d trials', (trials, moments, expected) => {
    const search = { trials, variance: VARIANCE };
    expect(deflatedSharpe2014({ ...FIVE_YEARS, ...moments }, search)).toBeCloseTo(expected, 14);
  });

  it('needs five years for 45 trials', () => {
    expect(minimumBacktestYears(45, 1)).toBeCloseTo(4.998087004443, 12);
  });

  it('asks no less than for a single trial if all trials are nearly alike', () => {
    const dsrOf = (trials: number): number =>
      deflatedSharpe2014(FIVE_YEARS, { trials, variance: VARIANCE });
    expect(dsrOf(1.01)).toBe(dsrOf(1));
    expect(minimumBacktestYears(1.01, 1)).toBe(0);
  });
});

describe('effective rank', () => {
  it('is the size for the identity matrix', () => {
    const values = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    expect(effectiveRank({ size: 3, values })).toBeCloseTo(3, 14);
  });

  it('is 1.84 for three assets of which two are nearly equal', () => {
    const values = Float64Array.of(10, 1, 7, 1, 10, 8, 7, 8, 10).map((value) => value / 10);
    expect(effectiveRank({ size: 3, values })).toBeCloseTo(1.84, 2);
  });
});

describe('haircut', () => {
  it('reduces a Sharpe ratio of 0.75 over 20 years to about 0.32 after 200 tests', () => {
    const p = pValueOf(0.75, 20);
    expect(sharpeAt(sidakOf(p, 200), 20)).toBeCloseTo(0.3241, 4);
    expect(sharpeAt(bonferroniOf(p, 200), 20)).toBeCloseTo(0.3148, 4);
  });
});
