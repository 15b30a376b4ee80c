import { contractPrice } from './contract.js';
import {
  divideFixed,
  divideHalfEven,
  FIXED_ONE,
  fixedToNumber,
  multiplyFixed,
  type Fixed,
} from './fixed.js';
import type { Instrument } from './instrument.js';
import type { Side } from './intent.js';

/** What was traded for one intent, beside the price that stood when it was wanted. */
export interface TradedAt {
  readonly side: Side;
  /** Last when the intent was judged first. */
  readonly arrivalPrice: Fixed;
  /** Base or contracts. */
  readonly filledQuantity: Fixed;
  /** Sum of {@link worthOfFill}. */
  readonly worth: Fixed;
}

/** What trading cost beyond the arrival price, fees left out. */
export interface Shortfall {
  /** Of the fills, in quote per base; of inverse contracts the harmonic one. */
  readonly averagePrice: Fixed;
  /** In quote: positive when it cost, negative when it brought. */
  readonly money: Fixed;
  /** The same as basis points of what was traded at the arrival price. */
  readonly basisPoints: number;
}

/** Basis points of 1, as an amount. */
const BASIS_POINTS = 10_000n * FIXED_ONE;

/**
 * What a fill adds to the sum from which a shortfall is worked out: price × quantity. Of inverse contracts, whose quantity is a number of quote, what its coins were
 * worth at the arrival price.
 */
export function worthOfFill(
  instrument: Instrument,
  arrivalPrice: Fixed,
  { price, quantity }: { readonly price: Fixed; readonly quantity: Fixed },
): Fixed {
  if (!isInverse(instrument)) return multiplyFixed(price, quantity);
  return divideHalfEven(multiplyFixed(quantity, instrument.multiplier) * arrivalPrice, price);
}

/** Undefined while nothing is filled. */
export function shortfallOf(instrument: Instrument, traded: TradedAt): Shortfall | undefined {
  const { side, arrivalPrice, filledQuantity, worth } = traded;
  if (filledQuantity === 0n || arrivalPrice === 0n || worth === 0n) return undefined;
  const size = instrument.kind === 'futures' ? instrument.multiplier : FIXED_ONE;
  const [paid, before] = isInverse(instrument)
    ? [multiplyFixed(filledQuantity, size), worth]
    : [
        multiplyFixed(worth, size),
        multiplyFixed(multiplyFixed(arrivalPrice, filledQuantity), size),
      ];
  const money = side === 'buy' ? paid - before : before - paid;
  return {
    averagePrice: averageOf(instrument, traded),
    money,
    basisPoints: fixedToNumber(divideHalfEven(money * BASIS_POINTS, before)),
  };
}

function averageOf(
  instrument: Instrument,
  { arrivalPrice, filledQuantity, worth }: TradedAt,
): Fixed {
  if (!isInverse(instrument)) return divideFixed(worth, filledQuantity);
  const multiplier = multiplyFixed(instrument.multiplier, arrivalPrice);
  return contractPrice({ contract: 'inverse', multiplier }, filledQuantity, worth);
}

function isInverse(
  instrument: Instrument,
): instrument is Extract<Instrument, { readonly kind: 'futures' }> {
  return instrument.kind === 'futures' && instrument.contract === 'inverse';
}
