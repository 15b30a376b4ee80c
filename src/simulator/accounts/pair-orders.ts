import {
  multiplyFixed,
  outlayOfBuy,
  type Asset,
  type FeeRates,
  type Fixed,
} from '../../domain/index.js';
import type { HeldOrder, MarketDemand } from './trading-account.js';

/** An amount of an asset. */
export interface AssetAmount {
  readonly asset: Asset;
  readonly amount: Fixed;
}

/** The amount that must be available for a MARKET order on a pair: for a buy its money and the fee, for a sale its base. */
export function needOfMarket(
  { request, instrument, quantity }: MarketDemand,
  rates: FeeRates,
): AssetAmount {
  return request.side === 'buy'
    ? { asset: instrument.quote, amount: outlayOfBuy(request.quantity, rates) }
    : { asset: instrument.base, amount: quantity };
}

/** The amount that must be available for the rest of a LIMIT order on a pair. */
export function needOfLimit(order: HeldOrder, rates: FeeRates): AssetAmount {
  const { request, remaining } = order;
  const amount =
    request.side === 'buy'
      ? outlayOfBuy(multiplyFixed(request.limitPrice, remaining), rates)
      : remaining;
  return { asset: heldAsset(order), amount };
}

/** The asset that a LIMIT order on a pair holds: quote for a buy, base for a sale. */
export function heldAsset({ request, instrument }: HeldOrder): Asset {
  return request.side === 'buy' ? instrument.quote : instrument.base;
}
