import {
  decimal,
  fixedFromDecimal,
  FIXED_DECIMALS,
  parseFixed,
  powerOfTen,
  roundToLot,
  roundToTick,
  type Decimal,
  type DecimalInput,
  type Fixed,
  type PriceRounding,
  type ResolvedRules,
  type Side,
} from '../domain/index.js';
import { floorPositive } from './money.js';

/** A number as a strategy wrote it, exact: scaled where 18 decimals hold it, else decimal.js. */
export type Amount = Fixed | Decimal;

/** Integers below 10^15 are exact in float64, and so are their sums digit by digit. */
const FAST_DIGITS = 15;
/** Numbers of 10^40 and above are mistakes, and would make texts of any length. */
const MAX_EXPONENT = 40;

const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;

/** Reads what a strategy wrote; undefined unless it is a finite decimal below 10^40 in text or a Decimal. Never throws. */
export function readAmount(input: DecimalInput): Amount | undefined {
  if (typeof input === 'string') {
    const fast = readShortText(input);
    if (fast !== undefined) return fast;
  }
  return readWithDecimal(input);
}

/** Plain decimals of at most 15 digits, which are nearly all there are; undefined means "not this way". */
function readShortText(text: string): Fixed | undefined {
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
  if (digits === 0 || digits > FAST_DIGITS) return undefined;
  const fractionDigits = dot < 0 ? 0 : length - dot - 1;
  const magnitude = BigInt(units) * powerOfTen(FIXED_DECIMALS - fractionDigits);
  return negative ? -magnitude : magnitude;
}

function readWithDecimal(input: DecimalInput): Amount | undefined {
  // Plugins may be plain JavaScript: a number or nothing at all gets here in spite of the types.
  if (typeof input !== 'string' && typeof input !== 'object') return undefined;
  let value: Decimal;
  try {
    value = decimal(input);
  } catch {
    return undefined;
  }
  if (value.e >= MAX_EXPONENT) return undefined;
  // The exponent first: a tiny number has as many decimals as its exponent says, and is not worth writing out.
  if (value.e < -MAX_EXPONENT || value.decimalPlaces() > FIXED_DECIMALS) return value;
  return parseFixed(value.toFixed());
}

export function isPositive(amount: Amount): boolean {
  return typeof amount === 'bigint' ? amount > 0n : amount.gt(0);
}

/**
 * Rounds a positive amount down to a grid of `decimals`, whose step is `step`. Equal to {@link roundToLot}, by integers where they
 * hold the amount.
 */
export function floorAmount(amount: Amount, decimals: number, step: Fixed): Fixed {
  if (typeof amount !== 'bigint') return fixedFromDecimal(roundToLot(amount, decimals));
  return floorPositive(amount, step);
}

/** Rounds a positive price to the tick as {@link roundToTick} does, by integers where they hold the price. */
export function roundPrice(
  price: Amount,
  { tick, pricePrecision }: Pick<ResolvedRules, 'pricePrecision' | 'tick'>,
  side: Side,
  rounding: PriceRounding,
): Fixed {
  if (typeof price !== 'bigint') {
    return fixedFromDecimal(roundToTick(price, pricePrecision, side, rounding));
  }
  const excess = price % tick;
  if (excess === 0n) return price;
  const below = price - excess;
  if (rounding === 'nearest') {
    const twice = excess * 2n;
    const up = twice > tick || (twice === tick && (below / tick) % 2n !== 0n);
    return up ? below + tick : below;
  }
  return side === 'buy' ? below : below + tick;
}
