import { Decimal as DecimalJs } from 'decimal.js';
import { DomainError } from '../errors.js';

/**
 * The one Decimal of the project: 40 significant digits, half-even, never exponent notation below 40 digits. The library's default keeps 20 digits and prints
 * 1e-8.
 */
export const Decimal = DecimalJs.clone({
  precision: 40,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 40,
});
export type Decimal = DecimalJs;

/** What strategy code and configuration may write for an amount: a decimal string or a Decimal, never a binary float. */
export type DecimalInput = string | Decimal;

const DECIMAL_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Parses a finite decimal.
 *
 * @throws {DomainError} `E_DECIMAL` when the text is not a finite decimal number.
 */
export function decimal(value: DecimalInput): Decimal {
  if (typeof value !== 'string') {
    if (value instanceof Decimal && value.isFinite()) return value;
    // A Decimal of another clone (a plugin's own copy of the library) is taken by its text.
    return decimal(String(value));
  }
  if (!DECIMAL_TEXT.test(value)) {
    throw new DomainError(
      'E_DECIMAL',
      `expected a finite decimal such as "0.001", received "${value.slice(0, 60)}"`,
    );
  }
  return new Decimal(value);
}

/**
 * Converts a binary float to the decimal its shortest text shows: 0.1 becomes exactly 0.1. For candle prices and volumes,
 * which are stored as float64; amounts of money are never floats.
 *
 * @throws {DomainError} `E_DECIMAL` for NaN and infinities.
 */
export function decimalFromNumber(value: number): Decimal {
  return decimal(String(value));
}
