import {
  feeInQuote,
  multiplyFixed,
  type Asset,
  type FeeRates,
  type Fixed,
  type Instrument,
  type Liquidity,
  type Side,
} from '../../domain/index.js';

/** What one execution costs. */
export interface FeeModel {
  readonly rates: FeeRates;
  fee(execution: {
    readonly instrument: Instrument;
    readonly side: Side;
    readonly liquidity: Liquidity;
    readonly price: Fixed;
    readonly quantity: Fixed;
  }): { readonly asset: Asset; readonly amount: Fixed };
}

/** The same rates for every instrument. Each fee is one posting, rounded once (DESIGN R8, R15). */
export function createConstantFees(rates: FeeRates): FeeModel {
  return {
    rates,
    fee: ({ instrument, side, liquidity, price, quantity }) => {
      const rate = liquidity === 'maker' ? rates.maker : rates.taker;
      return side === 'buy' && rates.paidIn === 'received'
        ? { asset: instrument.base, amount: multiplyFixed(quantity, rate) }
        : { asset: instrument.quote, amount: feeInQuote(price, quantity, rate) };
    },
  };
}
