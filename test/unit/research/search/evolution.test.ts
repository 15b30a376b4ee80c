import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { Evolution, evolutionConstants } from '../../../../src/research/search/evolution.js';
import { eigenOf } from '../../../../src/research/search/symmetric-eigen.js';

describe('evolutionConstants', () => {
  it('returns the constants of the tutorial for ten dimensions', () => {
    // By hand from arXiv:1604.00772, equations 48 to 58: λ = 4 + ⌊3 ln 10⌋ = 10, μ = 5, w' = ln 5.5 − ln i.
    const { lambda, mu, weights, muEff, cSigma, dSigma, cC, c1, cMu, chi } = evolutionConstants(10);
    const raw = [1, 2, 3, 4, 5].map((i) => Math.log(5.5) - Math.log(i));
    const total = raw.reduce((sum, weight) => sum + weight);
    const shares = raw.map((weight) => weight / total);

    expect([lambda, mu]).toEqual([10, 5]);
    for (const [i, share] of shares.entries()) expect(weights[i]).toBeCloseTo(share, 12);
    expect(muEff).toBeCloseTo(1 / shares.reduce((sum, share) => sum + share * share, 0), 12);
    expect(muEff).toBeCloseTo(3.1673, 4);
    expect(cSigma).toBeCloseTo(5.1673 / 18.1673, 4);
    expect(dSigma).toBeCloseTo(1 + 5.1673 / 18.1673, 4);
    expect(cC).toBeCloseTo((4 + 0.31673) / (14 + 0.63346), 4);
    expect(c1).toBeCloseTo(2 / (11.3 ** 2 + 3.1673), 6);
    expect(cMu).toBeCloseTo((2 * (0.25 + 3.1673 + 1 / 3.1673 - 2)) / (144 + 3.1673), 4);
    expect(chi).toBeCloseTo(Math.sqrt(10) * (1 - 1 / 40 + 1 / 2100), 12);
    // The negative weights are limited, so that the covariance matrix stays positive definite.
    const negative = weights.slice(5).reduce((sum, weight) => sum + weight, 0);
    expect(negative).toBeLessThan(0);
    expect(-negative).toBeLessThanOrEqual((1 - c1 - cMu) / (10 * cMu) + 1e-12);
  });
});

describe('eigenOf', () => {
  const matrices = fc.integer({ min: 1, max: 6 }).chain((size) =>
    fc
      .array(
        fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: size, maxLength: size }),
        {
          minLength: size,
          maxLength: size,
        },
      )
      .map((rows) =>
        rows.map((row, r) => Float64Array.from(row, (value, c) => value + (rows[c]?.[r] ?? 0))),
      ),
  );

  test.prop([matrices])(
    'returns eigenvalues and eigenvectors that reproduce the matrix',
    (matrix) => {
      const { values, vectors } = eigenOf(matrix);

      for (const [r, row] of matrix.entries())
        for (const [c, value] of row.entries()) {
          let sum = 0;
          for (const [k, eigenvalue] of values.entries())
            sum += eigenvalue * (vectors[r]?.[k] ?? 0) * (vectors[c]?.[k] ?? 0);
          expect(sum).toBeCloseTo(value, 9);
        }
    },
  );
});

describe('Evolution', () => {
  it('judges the path of the first generation by the length that one step has', () => {
    const { weights, muEff, cSigma, dSigma, cC, c1, cMu, chi } = evolutionConstants(1);
    // Hansen 2016, h_σ: the path counts as long if |p| ÷ √(1 − (1 − c)^2g) is above (1.4 + 2 ÷ (n + 1)) χ, for the g-th generation.
    const afterOne = Math.sqrt(1 - (1 - cSigma) ** 2);
    const afterTwo = Math.sqrt(1 - (1 - cSigma) ** 4);
    const length = 2.4 * chi * Math.sqrt(afterOne * afterTwo);
    const step = length / Math.sqrt(cSigma * (2 - cSigma) * muEff);
    // The first half has weights of the sum 1. A step with a negative weight counts by its direction.
    const rest = weights.slice(2).reduce((sum, weight) => sum + weight, 0);
    const variance = 1 + c1 * cC * (2 - cC) - c1 - cMu * (1 + rest) + cMu * (step ** 2 + rest);
    const sigma = Math.exp((cSigma / dSigma) * (length / chi - 1));

    const evolution = new Evolution([0], 1);
    evolution.update([[step], [step], [1], [-1]]);

    expect(evolution.width).toBeCloseTo(sigma * Math.sqrt(variance), 12);
  });
});
