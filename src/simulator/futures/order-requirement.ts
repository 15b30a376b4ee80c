import {
  contractValue,
  marginOfValue,
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
  /** The worst price that the order may get, quote per base. */
  readonly price: Fixed;
  /** The highest fee rate that the order may pay; ratio. */
  readonly feeRate: Fixed;
}

/** The amount that must be available for an opening order, in the margin asset. Or the refusal of its leverage. */
export type OrderRequirement =
  | ({ readonly kind: 'needed' } & OrderMargin)
  | { readonly kind: 'refused'; readonly leverage: Fixed; readonly maxLeverage: Fixed };

/**
 * What an order needs to open contracts. Its leverage is checked against the tier of the resulting position, at the mark. Other working orders do not
 * count.
 */
export function requirementOf(contract: ContractBook, order: OpeningTerms): OrderRequirement {
  const { instrument, leverage, mark, sizes, tiers } = contract;
  const { direction, contracts, price, feeRate } = order;
  const held = contract.position(direction).holding.quantity;
  const size = sizes.of(contracts);
  const valueAtMark = contractValue(instrument, contracts, mark, size);
  const position = held === 0n ? valueAtMark : contractValue(instrument, held + contracts, mark);
  const { maxLeverage } = tierOf(tiers, position).tier;
  if (leverage > maxLeverage) return { kind: 'refused', leverage, maxLeverage };
  const value = contractValue(instrument, contracts, price, size);
  const terms = { direction, value, valueAtMark, leverage, feeRate };
  const { margin, fee, openingLoss, total } = marginOfValue(instrument, terms);
  return { kind: 'needed', margin, fee, openingLoss, total };
}
