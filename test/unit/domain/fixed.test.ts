import { describe, expect, it } from 'vitest';

import {
  divideCeil,
  divideFixed,
  divideFloor,
  divideHalfEven,
  DomainError,
  fixedFromNumber,
  fixedToNumber,
  formatFixed,
  parseFixed,
  powerOfTen,
  shareFixed,
  stepOfPrecision,
} from '../../../src/domain/index.js';
import { failureOf } from '../../support/failure.js';

describe('divideHalfEven', () => {
  it.each([
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [-5n, 2n, -2n],
    [-7n, 2n, -4n],
    [5n, -2n, -2n],
    [-7n, -2n, 4n],
    [1n, 2n, 0n],
    [-1n, 2n, 0n],
    [3n, 2n, 2n],
    [8n, 3n, 3n],
    [7n, 3n, 2n],
    [-8n, 3n, -3n],
    [6n, 3n, 2n],
  ])('rounds %s / %s to %s', (numerator, divisor, expected) => {
    expect(divideHalfEven(numerator, divisor)).toBe(expected);
  });
});

describe('divideFloor and divideCeil', () => {
  it.each([
    [7n, 2n, 3n, 4n],
    [-7n, 2n, -4n, -3n],
    [7n, -2n, -4n, -3n],
    [-7n, -2n, 3n, 4n],
    [6n, 2n, 3n, 3n],
    [0n, 5n, 0n, 0n],
  ])('round %s / %s down to %s and up to %s', (numerator, divisor, floor, ceil) => {
    expect(divideFloor(numerator, divisor)).toBe(floor);
    expect(divideCeil(numerator, divisor)).toBe(ceil);
  });
});

describe('parseFixed', () => {
  it.each([
    ['1', 10n ** 18n],
    ['-0.000000000000000001', -1n],
    ['.5', 5n * 10n ** 17n],
    ['5.', 5n * 10n ** 18n],
    ['+1e-18', 1n],
    ['1E3', 10n ** 21n],
    ['0.0000000000000000005', 0n],
    ['0.0000000000000000015', 2n],
    ['0.00000000000000000051', 1n],
    ['-0', 0n],
    ['007', 7n * 10n ** 18n],
  ])('reads %s', (text, expected) => {
    expect(parseFixed(text)).toBe(expected);
  });

  it.each(['', '.', '-', '1,5', ' 1', '1 ', '1e', 'e5', 'NaN', 'Infinity', '0x10', '1_000', '--1'])(
    'refuses "%s" and shows it in the message',
    (text) => {
      const failure = failureOf(() => parseFixed(text));

      expect(failure).toBeInstanceOf(DomainError);
      expect(failure).toMatchObject({ code: 'E_DECIMAL' });
      expect(failure.message).toContain(`received "${text}"`);
    },
  );

  it('shows only the beginning of a long text in the message', () => {
    expect(failureOf(() => parseFixed('x'.repeat(10_000))).message.length).toBeLessThan(200);
  });
});

describe('parseFixed of no text', () => {
  it('is refused', () => {
    expect(failureOf(() => parseFixed(undefined as never))).toMatchObject({
      code: 'E_DECIMAL',
      message: 'expected a finite decimal such as "0.001", received "undefined"',
    });
  });
});

describe('formatFixed', () => {
  it.each([5, undefined, '5'])('refuses %j, which is no amount', (value) => {
    expect(failureOf(() => formatFixed(value as never))).toMatchObject({
      code: 'E_DECIMAL',
      message: `expected an amount, a bigint of 1e-18, received ${JSON.stringify(value)}`,
    });
  });

  it.each([
    [0n, '0'],
    [1n, '0.000000000000000001'],
    [-1n, '-0.000000000000000001'],
    [10n ** 18n, '1'],
    [-15n * 10n ** 17n, '-1.5'],
    [10n ** 40n, '10000000000000000000000'],
    [100_000_000_000_000_000n, '0.1'],
  ])('writes %s units', (value, expected) => {
    expect(formatFixed(value)).toBe(expected);
  });
});

describe('fixedFromNumber', () => {
  it.each([
    [0.1, '0.1'],
    [0.1 + 0.2, '0.30000000000000004'],
    [-0, '0'],
    [1e-18, '0.000000000000000001'],
    [5e-324, '0'],
    [1e21, '1000000000000000000000'],
    [1.5e300, `15${'0'.repeat(299)}`],
    // The fast path ends at 15 digits.
    [999_999_999_999_999, '999999999999999'],
    [1e15, '1000000000000000'],
    [1e15 + 1, '1000000000000001'],
    [9_999_999.99999999, '9999999.99999999'],
    [10_000_000.00000001, '10000000.00000001'],
    [2 ** 53, '9007199254740992'],
    [2 ** 53 - 1, '9007199254740991'],
    [2 ** 53 + 2, '9007199254740994'],
    [-(2 ** 53), '-9007199254740992'],
    [90_071_992.547_409_92, '90071992.54740992'],
    [2_251_799_813_685_249.5, '2251799813685249.5'],
    [1.7976931348623157e308, `17976931348623157${'0'.repeat(292)}`],
  ])('reads the shortest text of %s, with any hint', (value, expected) => {
    expect(formatFixed(fixedFromNumber(value))).toBe(expected);
    expect(formatFixed(fixedFromNumber(value, 2))).toBe(expected);
    expect(formatFixed(fixedFromNumber(value, 15))).toBe(expected);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses %s',
    (value) => {
      expect(failureOf(() => fixedFromNumber(value))).toMatchObject({ code: 'E_DECIMAL' });
    },
  );
});

describe('fixedToNumber', () => {
  it.each([
    ['0', 0],
    ['0.1', 0.1],
    ['-0.00000001', -1e-8],
    ['0.000000001', 1e-9],
    ['90071992.54740992', 90_071_992.547_409_92],
    // 2^53 + 1 units of the eighth decimal: not a double, so the text decides.
    ['90071992.54740993', 90_071_992.547_409_93],
    ['123456789012345678901234567890', 1.2345678901234568e29],
  ])('gives the double nearest to %s', (text, expected) => {
    expect(fixedToNumber(parseFixed(text))).toBe(expected);
  });
});

describe('values out of range', () => {
  it('divideFixed and shareFixed refuse a divisor of 0', () => {
    expect(failureOf(() => divideFixed(1n, 0n))).toMatchObject({ code: 'E_FIXED_RANGE' });
    expect(failureOf(() => shareFixed(1n, 1n, 0n))).toMatchObject({ code: 'E_FIXED_RANGE' });
  });

  it.each([-1, 64, 1.5, Number.NaN])('powerOfTen refuses the exponent %s', (exponent) => {
    expect(failureOf(() => powerOfTen(exponent))).toMatchObject({ code: 'E_FIXED_RANGE' });
  });

  it.each([-1, 19, 0.5, Number.NaN])(
    'stepOfPrecision refuses a precision of %s decimals',
    (decimals) => {
      const failure = failureOf(() => stepOfPrecision(decimals));

      expect(failure).toMatchObject({ code: 'E_PRECISION' });
      expect(failure.message).toContain(`received ${String(decimals)}`);
    },
  );
});
