import { divideFixed, divideFloor, FIXED_ONE, type Asset, type Fixed } from '../../domain/index.js';

/** Price of one unit of an asset in the account's currency. Called only for assets that are owned, held or owed. */
export type PriceOf = (asset: Asset) => Fixed;

/** Values of the assets and debts of an account. Whole numbers of 10^-36 of the currency: products of amount and price, not rounded. */
export interface Valuation {
  readonly assets: bigint;
  readonly debt: bigint;
  /** Value that working orders would have to borrow if all of them filled now. */
  readonly reserved: bigint;
}

/** Assets ÷ debt, rounded once; undefined without debt. For display: thresholds are compared without rounding. */
export function levelOf({ assets, debt }: Valuation): Fixed | undefined {
  return debt === 0n ? undefined : divideFixed(assets, debt);
}

/** Whether assets ÷ debt ≤ threshold, exactly. `false` without debt. */
export function isAtOrBelow({ assets, debt }: Valuation, threshold: Fixed): boolean {
  return debt > 0n && assets * FIXED_ONE <= threshold * debt;
}

/**
 * How much more of an asset of this price may be borrowed, rounded down. Debts, reserves and the new loan together are worth at most (leverage − 1) ×
 * equity (DESIGN R13).
 */
export function borrowableAt(
  { assets, debt, reserved }: Valuation,
  leverage: Fixed,
  price: Fixed,
): Fixed {
  const room = (leverage - FIXED_ONE) * (assets - debt) - (debt + reserved) * FIXED_ONE;
  return room <= 0n ? 0n : divideFloor(room, price * FIXED_ONE);
}
