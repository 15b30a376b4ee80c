import {
  decimal,
  fixedFromDecimal,
  FIXED_DECIMALS,
  parseFixed,
  readShortDecimal,
  roundToLot,
  roundToTick,
  type Decimal,
  type DecimalInput,
  type Fixed,
  type PriceRounding,
  type ResolvedRules,
  type Side,
} from '../../domain/index.js';
import { floorPositive } from './money.js';

/** A number that a strategy wrote, exact: scaled if 18 decimals hold it, otherwise decimal.js. */
export type Amount = Fixed | Decimal;

/** Numbers of 10^40 and above are mistakes, and would make texts of any length. */
const MAX_EXPONENT = 40;

/** Reads a number that a strategy wrote; undefined unless it is a finite decimal below 10^40 in text or a Decimal. Never throws. */
export function readAmount(input: DecimalInput): Amount | undefined {
  if (typeof input === 'string') {
    const short = readShortDecimal(input);
    if (short !== undefined) return short;
  }
  return readWithDecimal(input);
}

function readWithDecimal(input: DecimalInput): Amount | undefined {
  // Plugins may be plain JavaScript: a number or undefined may get here in spite of the types.
  if (typeof input !== 'string' && typeof input !== 'object') return undefined;
  let value: Decimal;
  try {
    value = decimal(input);
  } catch {
    return undefined;
  }
  if (value.e >= MAX_EXPONENT) return undefined;
  // Tests the exponent first: a tiny number has as many decimals as its exponent says, and its text would be long.
  if (value.e < -MAX_EXPONENT || value.decimalPlaces() > FIXED_DECIMALS) return value;
  return parseFixed(value.toFixed());
}

export function isPositive(amount: Amount): boolean {
  return typeof amount === 'bigint' ? amount > 0n : amount.gt(0);
}

/**
 * Rounds a positive amount down to a grid of `decimals`, whose step is `step`. Equal to {@link roundToLot}, but with integers if they can hold the
 * amount.
 */
export function floorAmount(amount: Amount, decimals: number, step: Fixed): Fixed {
  if (typeof amount !== 'bigint') return fixedFromDecimal(roundToLot(amount, decimals));
  return floorPositive(amount, step);
}

/** Rounds a positive price to the tick as {@link roundToTick} does, but with integers if they can hold the price. */
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
