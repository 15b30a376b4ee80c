import { divideHalfEven, FIXED_ONE, type Fixed } from './fixed.js';
import type { FuturesInstrument } from './instrument.js';
import type { Direction } from './intent.js';

/**
 * Worth of contracts at a price, in the margin asset, rounded once: contracts × multiplier × price (linear, quote), contracts × face ÷
 * price (inverse, base). A position's entry value is the sum of these over its fills, which makes an inverse average harmonic.
 *
 * Source: exchange facts, contract formulas.
 */
export function contractValue(
  { contract, multiplier }: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  contracts: Fixed,
  price: Fixed,
): Fixed {
  return contract === 'linear'
    ? divideHalfEven(contracts * multiplier * price, FIXED_ONE * FIXED_ONE)
    : divideHalfEven(contracts * multiplier, price);
}

/** Profit of contracts that went in for `entryValue` and are worth, or went out for, `exitValue`; both as {@link contractValue}. */
export function contractProfit(
  { contract }: Pick<FuturesInstrument, 'contract'>,
  direction: Direction,
  values: { readonly entryValue: Fixed; readonly exitValue: Fixed },
): Fixed {
  const gain = values.exitValue - values.entryValue;
  // Fewer coins are worth as much when the price has risen: an inverse long earns as its value falls.
  return (contract === 'linear') === (direction === 'long') ? gain : -gain;
}

/** Price at which contracts are worth `value`: the inverse of {@link contractValue}. Neither number may be 0. */
export function contractPrice(
  { contract, multiplier }: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  contracts: Fixed,
  value: Fixed,
): Fixed {
  return contract === 'linear'
    ? divideHalfEven(value * FIXED_ONE * FIXED_ONE, contracts * multiplier)
    : divideHalfEven(contracts * multiplier, value);
}
