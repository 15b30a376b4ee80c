import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  contractSize,
  contractValue,
  divideHalfEven,
  feeInQuote,
  FIXED_ONE,
  multiplyFixed,
} from '../../../src/domain/index.js';
import { contractCharge } from '../../../src/simulator/futures/contract-charge.js';

const amount = fc.bigInt({ min: 0n, max: 10n ** 27n });
/** Whole numbers of units, and amounts with all decimals. */
const few = fc.constantFrom(
  0n,
  1n,
  3n,
  FIXED_ONE,
  7n * FIXED_ONE,
  FIXED_ONE / 1_000n,
  123_456_789n,
);
const any = fc.oneof(few, few, amount);

describe('products, fees, contract values and charges', () => {
  it('are rounded once, and are the same with a precomputed size or value', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(any, any, any, any), { maxLength: 20 }), (cases) => {
        for (const [a, b, c, rate] of cases) {
          const linear = { contract: 'linear', multiplier: b } as const;
          expect(multiplyFixed(a, b)).toBe(divideHalfEven(a * b, 10n ** 18n));
          expect(multiplyFixed(b, a)).toBe(divideHalfEven(a * b, 10n ** 18n));
          expect(multiplyFixed(a, c)).toBe(divideHalfEven(a * c, 10n ** 18n));
          const fee = divideHalfEven(a * b * rate, 10n ** 36n);
          expect(feeInQuote(a, b, rate)).toBe(fee);
          expect(feeInQuote(a, b, rate, multiplyFixed(a, b))).toBe(fee);
          expect(contractValue(linear, a, c)).toBe(divideHalfEven(a * b * c, 10n ** 36n));
          const charge = divideHalfEven(a * b * c * rate, 10n ** 54n);
          expect(contractCharge(linear, { contracts: a, price: c, rate })).toBe(charge);
          const size = contractSize(linear, a);
          const value = contractValue(linear, a, c, size);
          expect(value).toBe(contractValue(linear, a, c));
          const known = { contracts: a, price: c, rate, size, value };
          expect(contractCharge(linear, known)).toBe(charge);
        }
      }),
    );
  });
});
