import {
  divideFloor,
  FIXED_ONE,
  maxFixed,
  minFixed,
  type Fixed,
  type Side,
} from '../../domain/index.js';
import type { PathPrice } from '../path/candle-path.js';

/** Whether a limit crosses the other side of the spread (DESIGN R5). Slippage plays no part. */
export function isMarketable(
  side: Side,
  limitPrice: Fixed,
  { numerator, denominator }: PathPrice,
  halfSpread: Fixed,
): boolean {
  if (halfSpread === 0n && denominator === 1n)
    return side === 'buy' ? limitPrice >= numerator : limitPrice <= numerator;
  const limit = limitPrice * denominator * FIXED_ONE;
  return side === 'buy'
    ? limit >= numerator * (FIXED_ONE + halfSpread)
    : limit <= numerator * (FIXED_ONE - halfSpread);
}

/** The price, or the limit if the price is worse. */
export function neverWorse(side: Side, price: Fixed, limitPrice: Fixed): Fixed {
  return side === 'buy' ? minFixed(price, limitPrice) : maxFixed(price, limitPrice);
}

/** How much an amount of quote buys at a price, rounded down to the step. */
export function quantityFor(
  money: Fixed,
  { numerator, denominator }: PathPrice,
  step: Fixed,
): Fixed {
  return divideFloor(money * FIXED_ONE * denominator, numerator * step) * step;
}

/** The part of a quantity that the remaining volume allows. */
export function within(pool: Fixed | undefined, wanted: Fixed): Fixed {
  return pool === undefined ? wanted : minFixed(wanted, pool);
}
