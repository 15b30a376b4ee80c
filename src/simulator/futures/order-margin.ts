import {
  contractValue,
  orderMargin as marginFor,
  tierOf,
  type Direction,
  type Fixed,
  type OrderMargin as NeededMargin,
} from '../../domain/index.js';
import type { ContractBook } from './contract-book.js';

/** Contracts to open at a price. */
export interface OpeningOrder {
  readonly direction: Direction;
  readonly contracts: Fixed;
  /** What the order pays at worst. */
  readonly price: Fixed;
  /** The taker's; ratio. */
  readonly feeRate: Fixed;
}

/** What an opening order must find available, in the margin asset; or why its leverage does not allow it. */
export type OrderMargin =
  | ({ readonly kind: 'needed' } & NeededMargin)
  | { readonly kind: 'refused'; readonly leverage: Fixed; readonly maxLeverage: Fixed };

/**
 * What an order needs to open contracts. Its leverage is measured against the tier of the position it would make, at the mark; other
 * working orders are not counted.
 *
 * Source: exchange facts, contract formulas (initial margin, opening loss).
 */
export function orderMargin(contract: ContractBook, order: OpeningOrder): OrderMargin {
  const { instrument, leverage, mark } = contract;
  const held = contract.position(order.direction).holding.quantity;
  const { tier } = tierOf(contract.tiers, contractValue(instrument, held + order.contracts, mark));
  if (leverage > tier.maxLeverage)
    return { kind: 'refused', leverage, maxLeverage: tier.maxLeverage };
  return { kind: 'needed', ...marginFor(instrument, { ...order, mark, leverage }) };
}
