import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  absFixed,
  ceilToStep,
  Decimal,
  decimal,
  decimalFromFixed,
  decimalFromNumber,
  divideCeil,
  divideFixed,
  divideFloor,
  divideHalfEven,
  fixedFromDecimal,
  fixedFromNumber,
  fixedToNumber,
  floorToStep,
  formatFixed,
  isExactProduct,
  isOnStep,
  maxFixed,
  minFixed,
  multiplyFixed,
  parseFixed,
  powerOfTen,
  shareFixed,
  stepOfPrecision,
  unscale,
  unscaleUp,
} from '../../../src/domain/index.js';
import { amounts, precisions } from '../../support/arbitraries/amounts.js';
import { lawRuns } from '../../support/runs.js';

/** Enough digits that sums, products and quotients of test amounts are rounded once, at the 18th decimal. */
const Exact = Decimal.clone({ precision: 400 });
type Exact = InstanceType<typeof Exact>;
type Rounding = NonNullable<Parameters<Exact['toDecimalPlaces']>[1]>;

const exact = (value: bigint): Exact => new Exact(value.toString()).div('1e18');
const text = (value: Exact): string => value.toFixed();
const rounded = (value: Exact): string =>
  text(value.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN).plus(0));

const runs = { numRuns: lawRuns() };
const nonZero = (): fc.Arbitrary<bigint> => amounts().filter((value) => value !== 0n);
const whole = fc.bigInt(-(10n ** 40n), 10n ** 40n);
const divisor = fc.oneof(whole, fc.bigInt(-20n, 20n)).filter((value) => value !== 0n);
/** Small numbers often give ties. Large numbers give all other cases. */
const numerator = fc.oneof(whole, fc.bigInt(-200n, 200n));

describe('fixed arithmetic', () => {
  it('adds and subtracts as decimal.js does', () => {
    fc.assert(
      fc.property(amounts(), amounts(), (a, b) => {
        expect(formatFixed(a + b)).toBe(text(exact(a).plus(exact(b))));
        expect(formatFixed(a - b)).toBe(text(exact(a).minus(exact(b))));
      }),
      runs,
    );
  });

  it('formats amounts of any size and number of decimals as decimal.js does', () => {
    const written = fc
      .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat(24), fc.nat(24))
      .map(([digits, cut, zeros]) => (digits / powerOfTen(cut)) * powerOfTen(zeros));
    fc.assert(
      fc.property(written, (amount) => {
        expect(formatFixed(amount)).toBe(text(exact(amount)));
      }),
      runs,
    );
    const most = 2n ** 53n * 10n ** 9n;
    // A billionth below a whole number: for large numbers the float is the whole number.
    const below = [1n, 2n ** 22n, 2n ** 23n].map((units) => units * 10n ** 18n - 10n ** 9n);
    const nears = [most - 10n ** 9n, most, most + 10n ** 9n, 10n ** 9n, 10n ** 9n - 1n, 1n, 0n];
    for (const near of [...nears, ...below]) {
      expect(formatFixed(near)).toBe(text(exact(near)));
      expect(formatFixed(-near)).toBe(text(exact(-near).plus(0)));
    }
  });

  it('isExactProduct is true exactly if 18 decimals hold the product', () => {
    const grids = fc
      .tuple(precisions(), precisions())
      .map(([one, other]) => [powerOfTen(18 - one), powerOfTen(18 - other)]);
    fc.assert(
      fc.property(amounts(), amounts(), grids, fc.boolean(), (a, b, steps, isOnGrid) => {
        const [one = 1n, other = 1n] = steps;
        const left = isOnGrid ? floorToStep(a, one) : a;
        const right = isOnGrid ? floorToStep(b, other) : b;
        const product = multiplyFixed(left, right);
        const isExact = (left * right) % powerOfTen(18) === 0n;

        expect(isExactProduct(product, left, right)).toBe(isExact);
        if (isExact)
          expect(formatFixed(product)).toBe(text(exact(left).times(exact(right)).plus(0)));
      }),
      runs,
    );
  });

  it('multiplies as decimal.js does, rounded once half to even', () => {
    fc.assert(
      fc.property(amounts(), amounts(), (a, b) => {
        expect(formatFixed(multiplyFixed(a, b))).toBe(rounded(exact(a).times(exact(b))));
      }),
      runs,
    );
  });

  it('divides as decimal.js does, rounded once half to even', () => {
    fc.assert(
      fc.property(amounts(), nonZero(), (a, b) => {
        expect(formatFixed(divideFixed(a, b))).toBe(rounded(exact(a).div(exact(b))));
      }),
      runs,
    );
  });

  it('computes a × b ÷ c as decimal.js does, rounded once half to even', () => {
    fc.assert(
      fc.property(amounts(), amounts(), nonZero(), (a, b, c) => {
        expect(formatFixed(shareFixed(a, b, c))).toBe(
          rounded(exact(a).times(exact(b)).div(exact(c))),
        );
      }),
      runs,
    );
  });

  it('computes absolute value, minimum and maximum as decimal.js does', () => {
    fc.assert(
      fc.property(amounts(), amounts(), (a, b) => {
        expect(formatFixed(absFixed(a))).toBe(text(exact(a).abs()));
        expect(formatFixed(minFixed(a, b))).toBe(text(Exact.min(exact(a), exact(b))));
        expect(formatFixed(maxFixed(a, b))).toBe(text(Exact.max(exact(a), exact(b))));
      }),
    );
  });

  it('rounds to a step as decimal.js rounds to decimals', () => {
    fc.assert(
      fc.property(amounts(), precisions(), (value, decimals) => {
        const step = stepOfPrecision(decimals);
        const down = exact(value).toDecimalPlaces(decimals, Decimal.ROUND_FLOOR);
        const up = exact(value).toDecimalPlaces(decimals, Decimal.ROUND_CEIL);

        expect(formatFixed(floorToStep(value, step))).toBe(text(down.plus(0)));
        expect(formatFixed(ceilToStep(value, step))).toBe(text(up.plus(0)));
      }),
      runs,
    );
  });
});

describe('integer division', () => {
  const ratio = (a: bigint, b: bigint): Exact =>
    new Exact(a.toString()).div(new Exact(b.toString()));
  const integer = (value: Exact, mode: Rounding): string =>
    text(value.toDecimalPlaces(0, mode).plus(0));

  it('rounds half to even as decimal.js does', () => {
    fc.assert(
      fc.property(numerator, divisor, (a, b) => {
        expect(divideHalfEven(a, b).toString()).toBe(integer(ratio(a, b), Decimal.ROUND_HALF_EVEN));
      }),
      runs,
    );
  });

  it('rounds down and up as decimal.js does', () => {
    fc.assert(
      fc.property(numerator, divisor, (a, b) => {
        expect(divideFloor(a, b).toString()).toBe(integer(ratio(a, b), Decimal.ROUND_FLOOR));
        expect(divideCeil(a, b).toString()).toBe(integer(ratio(a, b), Decimal.ROUND_CEIL));
      }),
      runs,
    );
  });

  it('unscale and unscaleUp equal a rounded division by 10^18', () => {
    const one = powerOfTen(18);
    // Ties, products without a remainder, their neighbors, and any others. With a remainder of 0 or one half the lower 64 bits decide.
    const near = fc
      .tuple(whole, fc.constantFrom(0n, one / 2n), fc.bigInt(-2n, 2n))
      .map(([quotient, half, beside]) => quotient * one + half + beside);
    fc.assert(
      fc.property(fc.oneof(near, whole), (product) => {
        expect(unscale(product)).toBe(divideHalfEven(product, one));
        expect(unscaleUp(product)).toBe(divideCeil(product, one));
      }),
      runs,
    );
  });

  it('rounds to an integer next to the quotient, and is exact if the remainder is 0', () => {
    fc.assert(
      fc.property(numerator, divisor, (a, b) => {
        const floor = divideFloor(a, b);
        const ceil = divideCeil(a, b);
        const even = divideHalfEven(a, b);

        expect(ceil - floor).toBe(a % b === 0n ? 0n : 1n);
        expect(even === floor || even === ceil).toBe(true);
        expect(b > 0n ? floor * b <= a && a <= ceil * b : floor * b >= a && a >= ceil * b).toBe(
          true,
        );
      }),
    );
  });

  it('treats the signs of numerator and divisor symmetrically', () => {
    fc.assert(
      fc.property(numerator, divisor, (a, b) => {
        expect(divideHalfEven(-a, b)).toBe(divideHalfEven(a, -b));
        expect(divideHalfEven(-a, b)).toBe(-divideHalfEven(a, b));
        expect(divideFloor(-a, b)).toBe(-divideCeil(a, b));
      }),
    );
  });
});

describe('fixed texts', () => {
  it('parseFixed restores an amount from the text of formatFixed', () => {
    fc.assert(
      fc.property(amounts(), (value) => {
        expect(parseFixed(formatFixed(value))).toBe(value);
      }),
      runs,
    );
  });

  it('formatFixed writes an amount as decimal.js does', () => {
    fc.assert(
      fc.property(amounts(), (value) => {
        expect(formatFixed(value)).toBe(text(exact(value)));
      }),
      runs,
    );
  });

  it('parseFixed reads any decimal as decimal.js does, rounded to 18 decimals', () => {
    const digits = fc.string({
      unit: fc.nat({ max: 9 }).map(String),
      minLength: 1,
      maxLength: 30,
    });
    const number = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        digits,
        fc.option(digits, { nil: undefined }),
        fc.option(fc.integer({ min: -40, max: 40 }), { nil: undefined }),
      )
      .map(
        ([sign, before, after, exponent]) =>
          sign +
          before +
          (after === undefined ? '' : `.${after}`) +
          (exponent === undefined ? '' : `e${String(exponent)}`),
      );
    fc.assert(
      fc.property(number, (written) => {
        expect(formatFixed(parseFixed(written))).toBe(rounded(new Exact(written)));
      }),
      runs,
    );
  });

  it('an amount survives the conversion to Decimal and back', () => {
    fc.assert(
      fc.property(amounts(), (value) => {
        expect(fixedFromDecimal(decimalFromFixed(value))).toBe(value);
        expect(decimalFromFixed(value).toFixed()).toBe(formatFixed(value));
        expect(decimal(formatFixed(value)).eq(decimalFromFixed(value))).toBe(true);
      }),
    );
  });
});

describe('float64 conversions', () => {
  /** Doubles on a decimal grid, next to the grid, and any others. */
  const doubles = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -1e12, max: 1e12, noNaN: true }),
    fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 15 })).map(([n, d]) => n / 10 ** d),
    fc
      .tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 10 }))
      .map(([n, d]) => n * 10 ** -d),
    fc
      .tuple(fc.maxSafeInteger(), fc.maxSafeInteger())
      .map(([a, b]) => a + b)
      .map((n) => n / 1e8),
  );

  it('fixedFromNumber reads the shortest text of the double, with any hint', () => {
    fc.assert(
      fc.property(doubles, fc.integer({ min: -1, max: 20 }), (value, hint) => {
        expect(fixedFromNumber(value, hint)).toBe(parseFixed(String(value)));
      }),
      { numRuns: 10 * lawRuns() },
    );
  });

  it('isOnStep is true exactly if the remainder is 0, after any earlier conversions', () => {
    const decimals = fc.integer({ min: 0, max: 8 });
    const number = fc.integer({ min: -100_000, max: 100_000 }).map((units) => units / 1_000);
    fc.assert(
      fc.property(fc.array(fc.tuple(number, decimals)), number, decimals, (before, value, grid) => {
        const step = stepOfPrecision(grid);
        for (const [one, hint] of [...before, [value, 3] as const]) {
          const amount = fixedFromNumber(one, hint);
          expect(isOnStep(amount, step)).toBe(amount % step === 0n);
        }
        expect(isOnStep(parseFixed(String(value)), step)).toBe(
          parseFixed(String(value)) % step === 0n,
        );
      }),
      { numRuns: lawRuns() },
    );
  });

  it('fixedFromNumber agrees with decimalFromNumber', () => {
    fc.assert(
      fc.property(doubles, (value) => {
        expect(fixedFromNumber(value)).toBe(fixedFromDecimal(decimalFromNumber(value)));
      }),
    );
  });

  it('fixedToNumber gives the double nearest to the exact amount', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          amounts(),
          fc.bigInt(-(2n ** 54n), 2n ** 54n),
          fc.bigInt(-(2n ** 54n), 2n ** 54n).map((units) => units * powerOfTen(10)),
        ),
        (value) => {
          expect(fixedToNumber(value)).toBe(Number(text(exact(value))));
        },
      ),
      runs,
    );
  });

  it('a double of at most 3 decimals survives the conversion to Fixed and back', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 3 })).map(([n, d]) => n / 10 ** d),
        (value) => {
          expect(fixedToNumber(fixedFromNumber(value))).toBe(value === 0 ? 0 : value);
        },
      ),
    );
  });
});
