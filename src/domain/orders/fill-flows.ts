import { multiplyFixed, type Fixed } from '../amounts/fixed.js';
import type { Asset, Instrument } from '../instruments/instrument.js';
import type { FillRecord } from './fill.js';

/** Net change of each asset by a fill, fee included; negative for the asset that is given. */
export type Flows = ReadonlyMap<Asset, Fixed>;

/**
 * Net changes by a fill on a pair, fee included. The fee is part of the change of its asset: it is paid from the amount that the fill brings, not borrowed.
 *
 * For example buying 2 BTC at 100 USDT for a fee of 0.002 BTC gives BTC +1.998 and USDT −200.
 */
export function flowsOfFill(
  { base, quote }: Pick<Instrument, 'base' | 'quote'>,
  fill: Pick<FillRecord, 'side' | 'price' | 'quantity' | 'fee' | 'feeAsset'>,
): Flows {
  const value = multiplyFixed(fill.price, fill.quantity);
  const isBuy = fill.side === 'buy';
  const flows = new Map<Asset, Fixed>([
    [base, isBuy ? fill.quantity : -fill.quantity],
    [quote, isBuy ? -value : value],
  ]);
  flows.set(fill.feeAsset, (flows.get(fill.feeAsset) ?? 0n) - fill.fee);
  return flows;
}
