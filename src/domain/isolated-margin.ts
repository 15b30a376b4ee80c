import { divideFixed, maxFixed, minFixed, shareFixed, type Fixed } from './fixed.js';

/**
 * The money of an isolated position, in the margin asset. `margin` was set aside when contracts were opened, and leaves in proportion when
 * they are closed. `kept` is what the position has earned or lost since and holds on to: profits of partial closes, losses that the
 * margin leaving did not cover, funding (DESIGN R12).
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
 * Takes out what leaves with `contracts` of the `held` ones, whose close brought `result`, fee taken off. A loss is paid from the margin
 * that leaves, so that no loss can be walked away from by closing in parts; a profit stays until the position is flat. The last close
 * takes all.
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
