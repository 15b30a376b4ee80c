import { decimalFromFixed, fixedFromDecimal, type Fixed } from '../../domain/index.js';

/** Data of the candle that an order meets, computed on demand. */
export interface SlippageMarket {
  /** Volume of the candle, in the unit of order quantities. */
  volume(): Fixed;
}

/** How far beyond the path and half the spread a taker trades, as a ratio of the price. */
export interface SlippageModel {
  ratio(quantity: Fixed, market: SlippageMarket): Fixed;
}

/** The same ratio for every order. */
export function createFixedSlippage(ratio: Fixed): SlippageModel {
  return { ratio: () => ratio };
}

/** coefficient × √(quantity ÷ candle volume), rounded once; the coefficient alone when the candle has no volume (DESIGN R4). */
export function createSquareRootSlippage(coefficient: Fixed): SlippageModel {
  const factor = decimalFromFixed(coefficient);
  return {
    ratio: (quantity, market) => {
      const volume = market.volume();
      if (volume <= 0n) return coefficient;
      const share = decimalFromFixed(quantity).div(decimalFromFixed(volume));
      return fixedFromDecimal(share.sqrt().times(factor));
    },
  };
}
