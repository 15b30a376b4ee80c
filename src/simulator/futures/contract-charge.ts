import {
  contractSize,
  divideHalfEven,
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
  instrument: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  { contracts, price, rate, size = contractSize(instrument, contracts), value }: ChargedContracts,
): Fixed {
  if (size !== undefined) return feeInQuote(price, size, rate, value);
  const { contract, multiplier } = instrument;
  return contract === 'linear'
    ? divideHalfEven(contracts * multiplier * price * rate, CUBE)
    : divideHalfEven(contracts * multiplier * rate, price * FIXED_ONE);
}

export interface ChargedContracts {
  readonly contracts: Fixed;
  readonly price: Fixed;
  /** Ratio: 0.0006 is 0.06 %. */
  readonly rate: Fixed;
  /** {@link contractSize} and {@link contractValue}, from who knows them. */
  readonly size?: Fixed | undefined;
  readonly value?: Fixed | undefined;
}
