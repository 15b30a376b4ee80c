import {
  divideCeil,
  divideFixed,
  divideFloor,
  FIXED_ONE,
  type Asset,
  type Fixed,
} from '../../domain/index.js';

/** Price of one unit of an asset in the account's currency. Asked only for assets that are owned, held or owed. */
export type PriceOf = (asset: Asset) => Fixed;

/** What an account owns and owes, valued. Whole numbers of 10^-36 of the currency: products of amount and price, not rounded. */
export interface Valuation {
  readonly assets: bigint;
  readonly debt: bigint;
  /** What working orders would have to borrow if all of them filled now. */
  readonly reserved: bigint;
}

/** Where a price makes the margin level fall to a threshold: at or below it when assets rise with the price, else at or above it. */
export interface LevelPrice {
  readonly side: 'below' | 'above';
  readonly price: Fixed;
}

/** Assets ÷ debt, rounded once; undefined without debt. For people: thresholds are compared without rounding. */
export function levelOf({ assets, debt }: Valuation): Fixed | undefined {
  return debt === 0n ? undefined : divideFixed(assets, debt);
}

/** Whether assets ÷ debt ≤ threshold, exactly. Never without debt. */
export function isAtOrBelow({ assets, debt }: Valuation, threshold: Fixed): boolean {
  return debt > 0n && assets * FIXED_ONE <= threshold * debt;
}

/**
 * How much more of an asset of this price may be borrowed, rounded down: debts, reserves and it together are worth at most
 * (leverage − 1) × equity (DESIGN R13).
 */
export function borrowableAt(
  { assets, debt, reserved }: Valuation,
  leverage: Fixed,
  price: Fixed,
): Fixed {
  const room = (leverage - FIXED_ONE) * (assets - debt) - (debt + reserved) * FIXED_ONE;
  return room <= 0n ? 0n : divideFloor(room, price * FIXED_ONE);
}

/**
 * The price of one asset at which the level falls to `threshold` while all others stand still, exact on the grid of 10^-18:
 * at `price` and beyond it the level is at or below the threshold, one unit before it is not.
 *
 * @param rest what is owned and owed apart from the asset.
 * @returns undefined when no price above 0 does it, or every price does.
 */
export function levelPriceOf(
  rest: Valuation,
  { owned, owed }: { readonly owned: Fixed; readonly owed: Fixed },
  threshold: Fixed,
): LevelPrice | undefined {
  // rest.assets + owned × p ≤ threshold × (rest.debt + owed × p), all in 10^-54.
  const slope = owned * FIXED_ONE - threshold * owed;
  const gap = threshold * rest.debt - rest.assets * FIXED_ONE;
  if (slope === 0n || rest.debt + owed === 0n) return undefined;
  const side = slope > 0n ? 'below' : 'above';
  const price = slope > 0n ? divideFloor(gap, slope) : divideCeil(gap, slope);
  return price > 0n ? { side, price } : undefined;
}
