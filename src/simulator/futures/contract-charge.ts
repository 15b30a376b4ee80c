import {
  contractSize,
  divideHalfEven,
  feeInQuote,
  FIXED_ONE,
  type Fixed,
  type FuturesInstrument,
} from '../../domain/index.js';

const CUBE: Fixed = FIXED_ONE ** 3n;

/** A fee or a payment of funding, in the margin asset: a rate of the value of contracts at a price. Rounded once, from the exact value. */
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

interface ChargedContracts {
  readonly contracts: Fixed;
  readonly price: Fixed;
  /** Ratio: 0.0006 is 0.06 %. */
  readonly rate: Fixed;
  /** {@link contractSize} and {@link contractValue}, if the caller has computed them already. */
  readonly size?: Fixed | undefined;
  readonly value?: Fixed | undefined;
}
