import {
  divideHalfEven,
  exactSize,
  feeInQuote,
  FIXED_ONE,
  type Fixed,
  type FuturesInstrument,
} from '../../domain/index.js';

const CUBE: Fixed = FIXED_ONE ** 3n;

/**
 * A rate of what contracts are worth at a price, in the margin asset, rounded once: a fee, or a payment of funding. Of the exact worth, not
 * of the rounded one.
 */
export function contractCharge(
  { contract, multiplier }: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  { contracts, price, rate }: ChargedContracts,
): Fixed {
  if (contract !== 'linear')
    return divideHalfEven(contracts * multiplier * rate, price * FIXED_ONE);
  const size = exactSize(contracts, multiplier);
  return size === undefined
    ? divideHalfEven(contracts * multiplier * price * rate, CUBE)
    : feeInQuote(price, size, rate);
}

export interface ChargedContracts {
  readonly contracts: Fixed;
  readonly price: Fixed;
  /** Ratio: 0.0006 is 0.06 %. */
  readonly rate: Fixed;
}
