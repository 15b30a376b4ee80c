import { DomainError } from '../errors.js';
import { Decimal } from './decimal.js';

/**
 * An exact amount as a whole number of 10^-18 units: `1_500_000_000_000_000_000n` is 1.5.
 *
 * Ledgers, orders and fills calculate in it because it is about ten times faster than decimal.js; every operation is proved equal
 * to decimal.js by property tests (test/unit/domain/fixed.property.test.ts).
 */
export type Fixed = bigint;

export const FIXED_DECIMALS = 18;
export const FIXED_ZERO: Fixed = 0n;
export const FIXED_ONE: Fixed = 10n ** 18n;

const POWERS: readonly bigint[] = Array.from(
  { length: 64 },
  (_, exponent) => 10n ** BigInt(exponent),
);
const NUMBER_POWERS: readonly number[] = Array.from(
  { length: 16 },
  (_, exponent) => 10 ** exponent,
);
/** Decimals of at most 15 significant digits survive a round trip through float64, so equality there proves the digits. */
const EXACT_DIGITS_LIMIT = 1e15;

const CHAR_ZERO = 48;

/** One shared object, because most positions that are read are empty. Frozen, because it is shared. */
const ZERO = new Decimal(0);
Object.freeze(ZERO);
Object.freeze(ZERO.d);

const BILLION = 1e9;
const FIXED_BILLIONTH: Fixed = 10n ** 9n;

/** 10^exponent as a bigint, for 0 ≤ exponent < 64. */
export function powerOfTen(exponent: number): bigint {
  const power = POWERS[exponent];
  if (power === undefined)
    throw new DomainError(
      'E_FIXED_RANGE',
      `expected an exponent from 0 to 63, received ${String(exponent)}`,
    );
  return power;
}

/** Divides two integers and rounds half to even. The divisor must not be 0. */
export function divideHalfEven(numerator: bigint, divisor: bigint): bigint {
  const quotient = numerator / divisor;
  const product = quotient * divisor;
  // A comparison costs a sixth of a subtraction, and most divisions leave no remainder.
  return product === numerator ? quotient : roundHalfEven(quotient, numerator - product, divisor);
}

/** Rounds a quotient that was cut toward zero and left `remainder`, which is not 0. */
function roundHalfEven(quotient: bigint, remainder: bigint, divisor: bigint): bigint {
  const twice = 2n * (remainder < 0n ? -remainder : remainder);
  const magnitude = divisor < 0n ? -divisor : divisor;
  if (twice < magnitude || (twice === magnitude && quotient % 2n === 0n)) return quotient;
  return remainder < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
}

// The remainder of a division by a divisor below 2^63 is cut to 64 bits here and below: the compiler then computes only 64 bits, in registers. Without
// the cut, each operation would make a bigint.

/** Divides by 10^18, half to even: turns the product of two amounts into an amount. Equal to {@link divideHalfEven}, and faster. */
export function unscale(product: bigint): Fixed {
  const quotient = product / FIXED_ONE;
  const remainder = BigInt.asIntN(64, product - quotient * FIXED_ONE);
  return remainder === 0n ? quotient : roundHalfEven(quotient, remainder, FIXED_ONE);
}

/** Divides by 10^18 toward positive infinity. Equal to {@link divideCeil}, and faster. */
export function unscaleUp(product: bigint): Fixed {
  const quotient = product / FIXED_ONE;
  return BigInt.asIntN(64, product - quotient * FIXED_ONE) > 0n ? quotient + 1n : quotient;
}

/** Divides two integers and rounds toward negative infinity. */
export function divideFloor(numerator: bigint, divisor: bigint): bigint {
  const quotient = numerator / divisor;
  // The quotient is cut toward zero. That is the floor if both signs are equal; otherwise the remainder decides.
  if (numerator < 0n === divisor < 0n) return quotient;
  return quotient * divisor === numerator ? quotient : quotient - 1n;
}

/** Divides two integers and rounds toward positive infinity. */
export function divideCeil(numerator: bigint, divisor: bigint): bigint {
  const quotient = numerator / divisor;
  if (numerator < 0n !== divisor < 0n) return quotient;
  return quotient * divisor === numerator ? quotient : quotient + 1n;
}

/** a × b, rounded once, half to even, to 18 decimals. */
export function multiplyFixed(a: Fixed, b: Fixed): Fixed {
  return unscale(a * b);
}

/** Amount × rate, without the work of multiplying by 1 in a run of one currency. */
export function convertFixed(amount: Fixed, rate: Fixed): Fixed {
  return rate === FIXED_ONE ? amount : multiplyFixed(amount, rate);
}

/** a × b if 18 decimals hold it exactly, as they do for a price and a quantity on their grids; otherwise undefined. */
export function multiplyExactly(a: Fixed, b: Fixed): Fixed | undefined {
  const product = a * b;
  const quotient = product / FIXED_ONE;
  return BigInt.asIntN(64, product - quotient * FIXED_ONE) === 0n ? quotient : undefined;
}

/**
 * Whether `product`, the result of {@link multiplyFixed} for a and b, is exact. Its rounding error is below 2^63, so that the compiler
 * compares in registers.
 */
export function isExactProduct(product: Fixed, a: Fixed, b: Fixed): boolean {
  return BigInt.asIntN(64, a * b - product * FIXED_ONE) === 0n;
}

/** a ÷ b, rounded once, half to even, to 18 decimals. */
export function divideFixed(a: Fixed, b: Fixed): Fixed {
  if (b === 0n) throw new DomainError('E_FIXED_RANGE', 'expected a divisor other than 0');
  return divideHalfEven(a * FIXED_ONE, b);
}

/** a × b ÷ c with one rounding, half to even: takes an exact share of an amount. */
export function shareFixed(a: Fixed, b: Fixed, c: Fixed): Fixed {
  if (c === 0n) throw new DomainError('E_FIXED_RANGE', 'expected a divisor other than 0');
  return divideHalfEven(a * b, c);
}

/** Largest multiple of `step` that is not above `value` (for `value` ≥ 0 this is toward zero). */
export function floorToStep(value: Fixed, step: Fixed): Fixed {
  return divideFloor(value, step) * step;
}

/** Smallest multiple of `step` that is not below `value`. */
export function ceilToStep(value: Fixed, step: Fixed): Fixed {
  return divideCeil(value, step) * step;
}

/** Size of one step of a grid with this many decimals: 2 gives 0.01. */
export function stepOfPrecision(decimals: number): Fixed {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > FIXED_DECIMALS) {
    throw new DomainError(
      'E_PRECISION',
      `expected a precision from 0 to ${String(FIXED_DECIMALS)} decimals, received ${String(decimals)}`,
    );
  }
  return powerOfTen(FIXED_DECIMALS - decimals);
}

export function absFixed(value: Fixed): Fixed {
  return value < 0n ? -value : value;
}

/** Returns the first of equal amounts: an object that is kept elsewhere need not be kept twice. */
export function minFixed(a: Fixed, b: Fixed): Fixed {
  return b < a ? b : a;
}

export function maxFixed(a: Fixed, b: Fixed): Fixed {
  return a > b ? a : b;
}

/**
 * Parses a decimal text exactly; digits past the 18th are rounded half to even.
 *
 * @throws {DomainError} `E_DECIMAL` when the text is not a decimal number.
 */
export function parseFixed(text: string): Fixed {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  const whole = match?.[2] ?? '';
  const fraction = match?.[3] ?? '';
  if (!match || whole.length + fraction.length === 0) {
    // A program in JavaScript may pass something else than a text.
    const given: unknown = text;
    throw new DomainError(
      'E_DECIMAL',
      `expected a finite decimal such as "0.001", received "${String(given).slice(0, 60)}"`,
    );
  }
  const digits = BigInt(whole + fraction);
  const shift = FIXED_DECIMALS - fraction.length + Number(match[4] ?? '0');
  const magnitude =
    shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfEven(digits, 10n ** BigInt(-shift));
  return match[1] === '-' ? -magnitude : magnitude;
}

/** Billionths below which a float64 finds the whole number of them, and of units, exactly. */
const MOST_BILLIONTHS = 1e15;

/**
 * Writes the amount as a plain decimal: no exponent, no trailing zeros, "-0" never.
 *
 * @throws {DomainError} `E_DECIMAL` for something else than a bigint.
 */
export function formatFixed(value: Fixed): string {
  if (typeof (value as unknown) !== 'bigint') throw noAmount(value);
  // Nearly all amounts are whole billionths, and below a million.
  if (value % FIXED_BILLIONTH !== 0n) return formatFine(value);
  const billionths = Math.round(Number(value) / BILLION);
  if (billionths >= MOST_BILLIONTHS || billionths <= -MOST_BILLIONTHS) {
    const whole = value / FIXED_ONE;
    return `${whole.toString()}${formatFixed(absFixed(value - whole * FIXED_ONE)).slice(1)}`;
  }
  const sign = billionths < 0 ? '-' : '';
  const magnitude = billionths < 0 ? -billionths : billionths;
  const whole = Math.floor(magnitude / BILLION);
  // An integer of 32 bits: it becomes text in a fraction of the time of others.
  let fraction = (magnitude - whole * BILLION) | 0;
  if (fraction === 0) return `${sign}${whole}`;
  let digits = 9;
  // Most amounts have few decimals, so several zeros go at once.
  if (fraction % 10_000 === 0) {
    fraction = (fraction / 10_000) | 0;
    digits -= 4;
  }
  while (fraction % 10 === 0) {
    fraction = (fraction / 10) | 0;
    digits -= 1;
  }
  return `${sign}${whole}.${String(fraction).padStart(digits, '0')}`;
}

/** Writes an amount that is no whole number of billionths. */
function formatFine(value: Fixed): string {
  const sign = value < 0n ? '-' : '';
  const magnitude = absFixed(value);
  const whole = magnitude / FIXED_ONE;
  const digits = (magnitude - whole * FIXED_ONE).toString().padStart(FIXED_DECIMALS, '0');
  let end = FIXED_DECIMALS;
  while (digits.charCodeAt(end - 1) === CHAR_ZERO) end -= 1;
  return `${sign}${whole.toString()}.${digits.slice(0, end)}`;
}

/** A program in JavaScript may pass something else. */
function noAmount(value: unknown): DomainError {
  const received = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new DomainError(
    'E_DECIMAL',
    `expected an amount, a bigint of 1e-18, received ${received}`,
  );
}

/** Largest power of ten of an amount, as in a text for {@link parseFixed}. */
const LARGEST_EXPONENT = 999;

/**
 * Converts a decimal; digits past the 18th are rounded half to even.
 *
 * @throws {DomainError} `E_DECIMAL` from 10^1000 on: written out, the zeros of a large exponent would fill the memory.
 */
export function fixedFromDecimal(value: Decimal): Fixed {
  if (value.e > LARGEST_EXPONENT)
    throw new DomainError(
      'E_DECIMAL',
      `expected an amount below 1e1000, received ${value.toExponential().slice(0, 60)}`,
    );
  // Below half of the smallest unit.
  if (value.e < -FIXED_DECIMALS - 1) return 0n;
  return parseFixed(value.toFixed());
}

export function decimalFromFixed(value: Fixed): Decimal {
  return value === 0n ? ZERO : new Decimal(formatFixed(value));
}

/**
 * Converts a float64 to the decimal its shortest text shows (0.1 + 0.2 stays 0.30000000000000004, the double nearest 0.3 becomes 0.3).
 *
 * `decimals` is a hint, normally the instrument's precision, that makes values on that grid about ten times faster; it never
 * changes the result.
 * @throws {DomainError} `E_DECIMAL` for NaN and infinities.
 */
export function fixedFromNumber(value: number, decimals = 8): Fixed {
  const power = NUMBER_POWERS[decimals];
  const step = POWERS[FIXED_DECIMALS - decimals];
  if (power === undefined || step === undefined) return parseFixed(String(value));
  const units = Math.round(value * power);
  const isShown =
    units < EXACT_DIGITS_LIMIT && units > -EXACT_DIGITS_LIMIT && units / power === value;
  if (!isShown) return parseFixed(String(value));
  // Compiled code converts 32-bit numbers, as most prices are in ticks; all others need a slower runtime call.
  const small = units | 0;
  return (small === units ? BigInt(small) : BigInt(units)) * step;
}

/** Whether an amount is a multiple of a step. */
export function isOnStep(amount: Fixed, step: Fixed): boolean {
  return amount % step === 0n;
}

/** Units of the eighth decimal: amounts without finer digits convert without going through text. */
const EIGHTH_DECIMAL = 10n ** 10n;

/** Fewer units than this are exact as a float64, as 10^18 is. It serves small amounts with fine digits, such as daily returns. */
const EXACT_UNITS = 2 ** 53;

const HALF = 2 ** 31;
const HALF_UNITS = 2n ** 31n;

/** Nearest float64, for indicators, charts and ratios; never for amounts that are traded or booked. */
export function fixedToNumber(value: Fixed): number {
  if (value === 0n) return 0;
  const number = Number(value);
  // Both operands are exact, here and below, so the division rounds once.
  if (number < EXACT_UNITS && number > -EXACT_UNITS) return number / 1e18;
  // Computed in floats, which may be wrong by a unit or two, and then proved: both together are faster than a division of bigints.
  const units = Math.round(number / 1e10);
  if (Number.isSafeInteger(units)) {
    // Two 32-bit numbers, because compiled code computes the lower 64 bits of their sum in registers.
    const upper = (units / HALF) | 0;
    const lower = (units - upper * HALF) | 0;
    const eighths = BigInt(upper) * HALF_UNITS + BigInt(lower);
    if (BigInt.asIntN(64, value - eighths * EIGHTH_DECIMAL) === 0n) return units / 1e8;
  }
  // All digits as one integer with an exponent: writing a decimal point takes several times as long.
  return Number(`${value.toString()}e-18`);
}
