import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  DAY_MS,
  DAYS_PER_YEAR,
  Decimal,
  decimalFromFixed,
  FIXED_ONE,
  MINUTE_MS,
  type Fixed,
} from '../../../src/domain/index.js';
import { compoundAnnualGrowth } from '../../../src/report/figures/return-figures.js';
import { lawRuns } from '../../support/runs.js';

/** The definition of the figure, computed with all digits. */
function inAllDigits(initial: Fixed, final: Fixed, durationMs: number): number | null {
  const growth = decimalFromFixed(final).div(decimalFromFixed(initial));
  const years = new Decimal(durationMs).div(DAYS_PER_YEAR * DAY_MS);
  const rate = growth.pow(new Decimal(1).div(years)).minus(1).toNumber();
  return Number.isFinite(rate) ? rate : null;
}

const amounts = fc.bigInt({ min: 1n, max: 10n ** 9n * FIXED_ONE });
const changes = fc.oneof(
  fc.bigInt({ min: -9n * 10n ** 17n, max: 10n ** 19n }),
  fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
  fc.bigInt({ min: -3n, max: 3n }),
);
const durations = fc.integer({ min: 1, max: 5_000_000 }).map((minutes) => minutes * MINUTE_MS);

describe('compoundAnnualGrowth', () => {
  it('equals the figure computed with all digits, to the last bit', () => {
    fc.assert(
      fc.property(amounts, changes, durations, (initial, change, durationMs) => {
        const final = initial + (initial * change) / FIXED_ONE;
        fc.pre(final > 0n);

        const growth = compoundAnnualGrowth({
          initialEquity: initial,
          finalEquity: final,
          durationMs,
        });

        expect(growth).toBe(inAllDigits(initial, final, durationMs));
      }),
      { numRuns: lawRuns() },
    );
  });

  it('is unknown from or to an equity of 0 or less, and without a duration', () => {
    const known = { initialEquity: FIXED_ONE, finalEquity: FIXED_ONE, durationMs: DAY_MS };

    for (const none of [0n, -1n]) {
      expect(compoundAnnualGrowth({ ...known, initialEquity: none })).toBeNull();
      expect(compoundAnnualGrowth({ ...known, finalEquity: none })).toBeNull();
    }
    expect(compoundAnnualGrowth({ ...known, durationMs: 0 })).toBeNull();
    expect(compoundAnnualGrowth(known)).toBe(0);
  });

  it('keeps a growth of 1e-18 apart from 0', () => {
    const ofYear = (finalEquity: Fixed) =>
      compoundAnnualGrowth({
        initialEquity: FIXED_ONE,
        finalEquity,
        durationMs: DAYS_PER_YEAR * DAY_MS,
      });

    expect(ofYear(FIXED_ONE)).toBe(0);
    expect(ofYear(FIXED_ONE + 1n)).toBe(1e-18);
    expect(ofYear(FIXED_ONE - 1n)).toBe(-1e-18);
  });
});
