import {
  divideFixed,
  divideHalfEven,
  FIXED_ONE,
  fixedToNumber,
  multiplyFixed,
  type Fixed,
} from '../amounts/fixed.js';
import { contractPrice } from '../instruments/contract.js';
import { isInverse, type Instrument } from '../instruments/instrument.js';
import type { Side } from './intent.js';

/** The trades of one intent, and the price at the time of the intent. */
export interface TradedAt {
  readonly side: Side;
  /** Last when the intent was first judged. */
  readonly arrivalPrice: Fixed;
  /** Base or contracts. */
  readonly filledQuantity: Fixed;
  /** Sum of {@link worthOfFill}. */
  readonly worth: Fixed;
}

/** The cost of trading compared with the arrival price, without fees. */
interface Shortfall {
  /** Average price of the fills, in quote per base; harmonic for inverse contracts. */
  readonly averagePrice: Fixed;
  /** In quote: positive for a cost, negative for a gain. */
  readonly money: Fixed;
  /** The same in basis points of the traded value at the arrival price. */
  readonly basisPoints: number;
}

/** Basis points of 1, as an amount. */
const BASIS_POINTS = 10_000n * FIXED_ONE;

/**
 * The part of a fill in the sum from which a shortfall is computed: price × quantity. For inverse contracts, whose face value is in quote: the value of
 * the fill's coins at the arrival price.
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
