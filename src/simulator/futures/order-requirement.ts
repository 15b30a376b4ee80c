import {
  contractValue,
  orderMargin,
  tierOf,
  type Direction,
  type Fixed,
  type OrderMargin,
} from '../../domain/index.js';
import type { ContractBook } from './contract-book.js';

/** Contracts that an order would open. */
export interface OpeningTerms {
  readonly direction: Direction;
  readonly contracts: Fixed;
  /** What the order pays at worst, quote per base. */
  readonly price: Fixed;
  /** The dearest rate the order may pay; ratio. */
  readonly feeRate: Fixed;
}

/** What an opening order must find available, in the margin asset; or why its leverage does not allow it. */
export type OrderRequirement =
  | ({ readonly kind: 'needed' } & OrderMargin)
  | { readonly kind: 'refused'; readonly leverage: Fixed; readonly maxLeverage: Fixed };

/**
 * What an order needs to open contracts. Its leverage is measured against the tier of the position it would make, at the mark; other
 * working orders are not counted.
 */
export function requirementOf(contract: ContractBook, order: OpeningTerms): OrderRequirement {
  const { instrument, leverage, mark, tiers } = contract;
  const { direction, contracts, price, feeRate } = order;
  const position = contract.position(direction).holding.quantity + contracts;
  const { maxLeverage } = tierOf(tiers, contractValue(instrument, position, mark)).tier;
  if (leverage > maxLeverage) return { kind: 'refused', leverage, maxLeverage };
  const terms = { direction, contracts, price, mark, leverage, feeRate };
  const { margin, fee, openingLoss, total } = orderMargin(instrument, terms);
  return { kind: 'needed', margin, fee, openingLoss, total };
}
