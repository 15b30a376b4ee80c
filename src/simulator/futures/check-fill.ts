import { DomainError, formatFixed, type Fixed } from '../../domain/index.js';
import type { ContractFill } from './margin-book.js';

/** @throws {DomainError} `E_QUANTITY`, `E_PRICE` unless contracts and price are above 0. */
export function checkFill({ contracts, price }: ContractFill): void {
  checkPrice(price);
  if (contracts <= 0n)
    throw new DomainError(
      'E_QUANTITY',
      `expected contracts > 0, received ${formatFixed(contracts)}`,
    );
}

/** @throws {DomainError} `E_PRICE` unless it is above 0. */
export function checkPrice(price: Fixed): void {
  if (price <= 0n)
    throw new DomainError('E_PRICE', `expected a price > 0, received ${formatFixed(price)}`);
}
