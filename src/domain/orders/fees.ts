import {
  divideHalfEven,
  FIXED_ONE,
  isExactProduct,
  maxFixed,
  multiplyFixed,
  unscale,
  unscaleUp,
  type Fixed,
} from '../amounts/fixed.js';

/** Fee rates in force. Ratios of the notional: 0.001 is 0.1 %. */
export interface FeeRates {
  readonly maker: Fixed;
  readonly taker: Fixed;
  /** `received`: a spot buy pays in base, a sell in quote; `quote`: always in quote (DESIGN R8). Futures pay in the margin coin. */
  readonly paidIn: 'received' | 'quote';
}

const SQUARE: Fixed = FIXED_ONE * FIXED_ONE;

/** Fee in quote on one execution: price × quantity × rate, rounded once. `value`: price × quantity, if the caller already has it. */
export function feeInQuote(
  price: Fixed,
  quantity: Fixed,
  rate: Fixed,
  value = multiplyFixed(price, quantity),
): Fixed {
  return isExactProduct(value, price, quantity)
    ? unscale(value * rate)
    : divideHalfEven(price * quantity * rate, SQUARE);
}

/** The higher of both rates: it is not known yet which of them a LIMIT order will pay. */
export function dearestRate({ maker, taker }: Pick<FeeRates, 'maker' | 'taker'>): Fixed {
  return maxFixed(maker, taker);
}

/**
 * The fee rate that a buy must be able to pay on top of its value: the higher rate if fees are paid in quote, 0 if a buy pays its fee in
 * the asset that it receives.
 */
export function feeRateOfBuy(fees: FeeRates): Fixed {
  return fees.paidIn === 'quote' ? dearestRate(fees) : 0n;
}

/**
 * Free quote that a buy worth `value` quote needs: its value, and the fee at {@link feeRateOfBuy}, rounded up. Risk and the simulated
 * venue share this rule, so that risk never approves an order that the venue rejects.
 */
export function outlayOfBuy(value: Fixed, fees: FeeRates): Fixed {
  const rate = feeRateOfBuy(fees);
  return rate === 0n ? value : value + unscaleUp(value * rate);
}
