import { divideCeil, FIXED_ONE, maxFixed, unscaleUp, type Fixed } from '../amounts/fixed.js';
import { contractProfit, contractSize, contractValue } from '../instruments/contract.js';
import type { FuturesInstrument } from '../instruments/instrument.js';
import type { Direction } from '../orders/intent.js';

/** Contracts to open. */
interface OpeningOrder {
  readonly direction: Direction;
  readonly contracts: Fixed;
  /** The worst price that the order may pay, quote per base, > 0. */
  readonly price: Fixed;
  /** Mark price, > 0. */
  readonly mark: Fixed;
  readonly leverage: Fixed;
  /** The highest fee rate that the order may pay: 0.0006 is 0.06 %. */
  readonly feeRate: Fixed;
}

/** The money that an opening order needs available, in the margin asset. */
export interface OrderMargin {
  /** Value ÷ leverage, rounded up. */
  readonly margin: Fixed;
  /** Value × rate, rounded up. */
  readonly fee: Fixed;
  /** The immediate loss of contracts that are bought above the mark, or sold below it. */
  readonly openingLoss: Fixed;
  readonly total: Fixed;
}

/**
 * The money that an order needs to open contracts: initial margin, fee and the loss it starts with. Risk and the simulated venue share this
 * rule, so that risk never approves an order that the venue rejects.
 *
 * Source: exchange facts, contract formulas (initial margin, opening loss).
 */
export function orderMargin(
  instrument: Pick<FuturesInstrument, 'contract' | 'multiplier'>,
  { direction, contracts, price, mark, leverage, feeRate }: OpeningOrder,
): OrderMargin {
  const size = contractSize(instrument, contracts);
  const value = contractValue(instrument, contracts, price, size);
  const valueAtMark = contractValue(instrument, contracts, mark, size);
  // Written out: copying an object that holds bigints is slow.
  return marginOfValue(instrument, { direction, value, valueAtMark, leverage, feeRate });
}

/** The same for contracts given by their values in the margin asset, at the order's price and at mark. */
export function marginOfValue(
  instrument: Pick<FuturesInstrument, 'contract'>,
  {
    direction,
    value,
    valueAtMark,
    leverage,
    feeRate,
  }: Pick<OpeningOrder, 'direction' | 'leverage' | 'feeRate'> & {
    readonly value: Fixed;
    readonly valueAtMark: Fixed;
  },
): OrderMargin {
  const margin = divideCeil(value * FIXED_ONE, leverage);
  const fee = unscaleUp(value * feeRate);
  const atMark = contractProfit(instrument, direction, {
    entryValue: value,
    exitValue: valueAtMark,
  });
  const openingLoss = maxFixed(-atMark, 0n);
  return { margin, fee, openingLoss, total: margin + fee + openingLoss };
}
