import {
  divideHalfEven,
  FIXED_ONE,
  maxFixed,
  minFixed,
  multiplyExactly,
  multiplyFixed,
  type Fixed,
} from '../amounts/fixed.js';
import type { Direction } from '../orders/intent.js';
import type { FuturesInstrument } from './instrument.js';

const SQUARE: Fixed = FIXED_ONE * FIXED_ONE;

/** Base quantity of linear contracts, if 18 decimals hold it, as they do for whole contracts; otherwise undefined. */
export function contractSize(
  { contract, multiplier }: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  contracts: Fixed,
): Fixed | undefined {
  return contract === 'linear' ? multiplyExactly(contracts, multiplier) : undefined;
}

/** Remembers the last size of one instrument's contracts: most orders are for as many contracts as the order before. */
export class ContractSizes {
  readonly #instrument: Pick<FuturesInstrument, 'contract' | 'multiplier'>;
  #contracts: Fixed = 0n;
  #size: Fixed | undefined;

  constructor(instrument: Pick<FuturesInstrument, 'contract' | 'multiplier'>) {
    this.#instrument = instrument;
    this.#size = contractSize(instrument, this.#contracts);
  }

  /** As {@link contractSize}. */
  of(contracts: Fixed): Fixed | undefined {
    if (contracts !== this.#contracts) {
      this.#contracts = contracts;
      this.#size = contractSize(this.#instrument, contracts);
    }
    return this.#size;
  }
}

/**
 * Worth of contracts at a price, in the margin asset, rounded once: contracts × multiplier × price (linear, quote), contracts × face ÷
 * price (inverse, base). A position's entry value is the sum of these over its fills, which makes an inverse average harmonic. `size`:
 * {@link contractSize} of these contracts, if the caller already has it.
 *
 * Source: exchange facts, contract formulas.
 */
export function contractValue(
  instrument: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  contracts: Fixed,
  price: Fixed,
  size = contractSize(instrument, contracts),
): Fixed {
  if (size !== undefined) return multiplyFixed(size, price);
  const { contract, multiplier } = instrument;
  return contract === 'linear'
    ? divideHalfEven(contracts * multiplier * price, SQUARE)
    : divideHalfEven(contracts * multiplier, price);
}

/** Profit of contracts that were opened for `entryValue`, and are worth or were closed for `exitValue`; both as {@link contractValue}. */
export function contractProfit(
  { contract }: Pick<FuturesInstrument, 'contract'>,
  direction: Direction,
  values: { readonly entryValue: Fixed; readonly exitValue: Fixed },
): Fixed {
  const gain = values.exitValue - values.entryValue;
  // An inverse contract is worth a fixed amount of quote, so fewer coins when the price has risen: its long earns as its value in coins falls.
  return (contract === 'linear') === (direction === 'long') ? gain : -gain;
}

/**
 * Price at which contracts are worth `value`: the inverse of {@link contractValue}. Of the prices that money of 18 decimals cannot distinguish, it is the
 * shortest. Neither number may be 0.
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

/** Average price of a quantity that is worth `value` in total; the shortest of the prices that money of 18 decimals cannot distinguish. */
export function priceOfValue(quantity: Fixed, value: Fixed): Fixed {
  return simplest((worth) => divideHalfEven(worth * FIXED_ONE, quantity), value);
}

/** Allowed rounding error of an entry value, in 10^-18: it is rounded with each fill, and divided with each close. */
const DRIFT: Fixed = 8n;

/** The shortest decimal among the prices for values within {@link DRIFT} of `value`. After a single fill it is the price of that fill. */
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
