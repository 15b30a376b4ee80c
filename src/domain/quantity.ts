import type { Brand } from './brand.js';
import { decimal, type Decimal, type DecimalInput } from './decimal.js';
import { DomainError } from './errors.js';
import { decimalFromFixed, type Fixed } from './fixed.js';

/** Base units (spot, margin) or contracts (futures); never negative, the side carries the sign. */
export type Quantity = Brand<Decimal, 'Quantity'>;

/** @throws {DomainError} `E_QUANTITY` unless the value is a finite decimal of at least 0. */
export function parseQuantity(value: DecimalInput): Quantity {
  const parsed = decimal(value);
  if (parsed.lt(0))
    throw new DomainError('E_QUANTITY', `expected a quantity >= 0, received ${parsed.toFixed()}`);
  return parsed as Quantity;
}

/** Shows an exact amount as a quantity. */
export function quantityFromFixed(value: Fixed): Quantity {
  return decimalFromFixed(value) as Quantity;
}
