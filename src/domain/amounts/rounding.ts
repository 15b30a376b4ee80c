import type { Side } from '../orders/intent.js';
import { Decimal } from './decimal.js';

export type PriceRounding = 'never-worse' | 'nearest';

/** Rounds a quantity down to the step: rounding never adds risk. */
export function roundToLot(quantity: Decimal, decimals: number): Decimal {
  return quantity.toDecimalPlaces(decimals, Decimal.ROUND_DOWN);
}

/** Rounds a price to the tick so that it is never worse than asked: a buy down, a sell up; or to the nearest tick, ties to even. */
export function roundToTick(
  price: Decimal,
  decimals: number,
  side: Side,
  rounding: PriceRounding,
): Decimal {
  if (rounding === 'nearest') return price.toDecimalPlaces(decimals, Decimal.ROUND_HALF_EVEN);
  return price.toDecimalPlaces(decimals, side === 'buy' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL);
}
