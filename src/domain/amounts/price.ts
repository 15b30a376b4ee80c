import type { Brand } from './brand.js';
import type { Decimal } from './decimal.js';
import { decimalFromFixed, type Fixed } from './fixed.js';

/** Quote per base, above 0. price.mul(quantity) is a plain Decimal again, because the unit changed. */
export type Price = Brand<Decimal, 'Price'>;

/** Shows an exact amount as a price. */
export function priceFromFixed(value: Fixed): Price {
  return decimalFromFixed(value) as Price;
}
