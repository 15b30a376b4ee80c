import type { Brand } from './brand.js';
import { decimal, type Decimal, type DecimalInput } from './decimal.js';
import { DomainError } from './errors.js';
import { decimalFromFixed, type Fixed } from './fixed.js';

/** Quote per base, above 0. price.mul(quantity) is a plain Decimal again, because the unit changed. */
export type Price = Brand<Decimal, 'Price'>;

/** @throws {DomainError} `E_PRICE` unless the value is a finite decimal above 0. */
export function parsePrice(value: DecimalInput): Price {
  const parsed = decimal(value);
  if (parsed.lte(0))
    throw new DomainError('E_PRICE', `expected a price > 0, received ${parsed.toFixed()}`);
  return parsed as Price;
}

/** Shows an exact amount as a price. */
export function priceFromFixed(value: Fixed): Price {
  return decimalFromFixed(value) as Price;
}
