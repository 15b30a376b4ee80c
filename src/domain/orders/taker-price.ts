import {
  divideCeil,
  divideFloor,
  FIXED_ONE,
  isOnStep,
  maxFixed,
  type Fixed,
} from '../amounts/fixed.js';
import type { Side } from './intent.js';

/**
 * The price of an order that trades at once (a taker) while the path is at numerator ÷ denominator: path × (1 ± cost), rounded once to the tick, against
 * the order (DESIGN R4). A sell trades at one tick at least: there is no lower price. Risk and the simulated venue share this rule, so that a size by
 * risk uses the same costs as the venue.
 */
export function takerPrice(
  side: Side,
  path: { readonly numerator: bigint; readonly denominator: bigint },
  terms: { readonly cost: Fixed; readonly tick: Fixed },
): Fixed {
  const { numerator, denominator } = path;
  const { cost, tick } = terms;
  if (cost === 0n && denominator === 1n && isOnStep(numerator, tick))
    return side === 'buy' ? numerator : maxFixed(numerator, tick);
  const scale = denominator * FIXED_ONE * tick;
  return side === 'buy'
    ? divideCeil(numerator * (FIXED_ONE + cost), scale) * tick
    : maxFixed(divideFloor(numerator * (FIXED_ONE - cost), scale) * tick, tick);
}
