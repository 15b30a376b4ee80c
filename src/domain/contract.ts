import {
  divideHalfEven,
  FIXED_ONE,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Fixed,
} from './fixed.js';
import type { FuturesInstrument } from './instrument.js';
import type { Direction } from './intent.js';

const SQUARE: Fixed = FIXED_ONE * FIXED_ONE;

/** The contracts that were asked for last, and their size: all who deal with one order ask for the same. */
const known: { contracts: Fixed; multiplier: Fixed; size: Fixed | undefined } = {
  contracts: 0n,
  multiplier: 0n,
  size: 0n,
};

/** Base in linear contracts, where 18 decimals hold it, as they do for whole contracts; else undefined. */
export function exactSize(contracts: Fixed, multiplier: Fixed): Fixed | undefined {
  if (contracts === known.contracts && multiplier === known.multiplier) return known.size;
  const product = contracts * multiplier;
  const size = product / FIXED_ONE;
  known.contracts = contracts;
  known.multiplier = multiplier;
  known.size = size * FIXED_ONE === product ? size : undefined;
  return known.size;
}

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
  if (contract !== 'linear') return divideHalfEven(contracts * multiplier, price);
  const size = exactSize(contracts, multiplier);
  return size === undefined
    ? divideHalfEven(contracts * multiplier * price, SQUARE)
    : multiplyFixed(size, price);
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

/**
 * Price at which contracts are worth `value`: the inverse of {@link contractValue}, of those that money of 18 decimals cannot tell apart, the shortest. Neither number may be 0.
 */
export function contractPrice(
  { contract, multiplier }: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  contracts: Fixed,
  value: Fixed,
): Fixed {
  const size = contracts * multiplier;
  return contract === 'linear'
    ? simplest((worth) => divideHalfEven(worth * SQUARE, size), value)
    : simplest((worth) => divideHalfEven(size, worth), value);
}

/** Average price of a quantity that is worth `value` together; of those that money of 18 decimals cannot tell apart, the shortest. */
export function priceOfValue(quantity: Fixed, value: Fixed): Fixed {
  return simplest((worth) => divideHalfEven(worth * FIXED_ONE, quantity), value);
}

/** How far sums and shares of rounded money may have drifted: that of a position is rounded with each fill, and shared out with each close. */
const DRIFT: Fixed = 8n;

/** The shortest decimal among the prices of what is worth nearly `value`. One fill makes it the price it was traded at. */
function simplest(priceOf: (worth: Fixed) => Fixed, value: Fixed): Fixed {
  const price = priceOf(value);
  if (value <= DRIFT) return price;
  const ends = [priceOf(value - DRIFT), priceOf(value + DRIFT)] as const;
  const low = minFixed(...ends);
  const high = maxFixed(...ends);
  for (let step = FIXED_ONE; step > 1n; step /= 10n) {
    const near = divideHalfEven(price, step) * step;
    if (near >= low && near <= high && near > 0n) return near;
  }
  return price;
}
