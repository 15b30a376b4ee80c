import type { Brand } from './brand.js';
import type { Decimal } from './decimal.js';
import { decimalFromFixed, type Fixed } from './fixed.js';

/** Base units (spot, margin) or contracts (futures); never negative, the side carries the sign. */
export type Quantity = Brand<Decimal, 'Quantity'>;

/** Shows an exact amount as a quantity. */
export function quantityFromFixed(value: Fixed): Quantity {
  return decimalFromFixed(value) as Quantity;
}
