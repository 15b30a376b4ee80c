import { divideFixed, maxFixed, minFixed, shareFixed, type Fixed } from '../amounts/fixed.js';

/**
 * The money of an isolated position, in the margin asset. `margin` was set aside when contracts were opened, and is released in proportion
 * when they are closed. `kept` is earned or lost since then and stays with the position: profits of partial closes, losses that the
 * released margin did not cover, funding (DESIGN R12).
 */
export interface IsolatedMoney {
  readonly margin: Fixed;
  readonly kept: Fixed;
}

export const NO_ISOLATED_MONEY: IsolatedMoney = { margin: 0n, kept: 0n };

/** Sets the margin of contracts worth `value` aside: value ÷ leverage, rounded once. */
export function setMarginAside(
  { margin, kept }: IsolatedMoney,
  value: Fixed,
  leverage: Fixed,
): IsolatedMoney {
  return { margin: margin + divideFixed(value, leverage), kept };
}

/**
 * Releases the money of `contracts` out of the `held` contracts. `result`: profit of their close, less the fee. A loss is paid from the
 * released margin, so that closing in parts cannot avoid a loss. A profit stays until the position is flat. The last close releases
 * everything.
 */
export function releaseMargin(
  { margin, kept }: IsolatedMoney,
  {
    contracts,
    held,
    result,
  }: { readonly contracts: Fixed; readonly held: Fixed; readonly result: Fixed },
): IsolatedMoney {
  if (contracts >= held) return NO_ISOLATED_MONEY;
  const share = shareFixed(margin, contracts, held);
  const paid = minFixed(share, maxFixed(0n, -result));
  return { margin: margin - share, kept: kept + result + paid };
}
