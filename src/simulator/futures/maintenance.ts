import { FIXED_ONE, maxFixed, tierOf, type Fixed, type LeverageTier } from '../../domain/index.js';
import type { ContractTerms, ContractPosition } from './contract-position.js';
import type { MarginBook } from './margin-book.js';

/** Money above the maintenance margin, in 10^-36 of the margin asset, without rounding. Liquidation is at ≤ 0. */
export type Cushion = bigint;

/** The part of its value at mark that a position must keep, as a ratio: the flat rate of its tier plus the fee of a forced close. */
export function maintenanceRate(
  { tiers, maxFeeRate }: Pick<ContractTerms, 'tiers' | 'maxFeeRate'>,
  value: Fixed,
): Fixed {
  return tierOf(tiers, value).tier.keepRate + maxFeeRate;
}

/** The largest rate between two values, both included. */
export function largestRate(
  { tiers, maxFeeRate }: { readonly tiers: readonly LeverageTier[]; readonly maxFeeRate: Fixed },
  low: Fixed,
  high: Fixed,
): Fixed {
  let rate = 0n;
  const last = tierOf(tiers, high).index;
  for (let index = tierOf(tiers, low).index; index <= last; index += 1)
    rate = maxFixed(rate, tiers[index]?.keepRate ?? 0n);
  return rate + maxFeeRate;
}

/** The part of the cushion that comes from a held position, without its own money: profit minus maintenance. */
export function cushionOf(position: ContractPosition, value: Fixed, rate: Fixed): Cushion {
  return position.sign * (value - position.holding.entryValue) * FIXED_ONE - value * rate;
}

/** Cushion of an isolated position at mark: margin + realized + unrealized, less value × (keepRate + maxFeeRate). */
function isolatedCushion(position: ContractPosition): Cushion {
  const value = position.valueAt(position.terms.mark);
  return (
    (position.money.margin + position.money.kept) * FIXED_ONE +
    cushionOf(position, value, maintenanceRate(position.terms, value))
  );
}

/** Cushion of the cross account at mark: equity less Σ value × (keepRate + maxFeeRate). */
export function crossCushion(book: MarginBook): Cushion {
  let cushion = book.crossBalance * FIXED_ONE;
  for (const { positions } of book.contracts)
    for (const position of positions) {
      if (position.isIsolated || !position.isHeld) continue;
      const value = position.valueAt(position.terms.mark);
      cushion += cushionOf(position, value, maintenanceRate(position.terms, value));
    }
  return cushion;
}

/** Whether the venue liquidates the position at mark, or with it the whole cross account. */
export function isLiquidatable(book: MarginBook, position: ContractPosition): boolean {
  if (!position.isHeld) return false;
  return (position.isIsolated ? isolatedCushion(position) : crossCushion(book)) <= 0n;
}
