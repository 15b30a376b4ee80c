import {
  multiplyFixed,
  outlayOfBuy,
  type Asset,
  type FeeRates,
  type Fixed,
} from '../domain/index.js';
import type { HeldOrder, MarketDemand } from './trading-account.js';

/** An amount of an asset. */
export interface AssetAmount {
  readonly asset: Asset;
  readonly amount: Fixed;
}

/** What a MARKET order on a pair must find: a buy all its money and the fee on it, a sale its base. */
export function needOfMarket(
  { request, instrument, quantity }: MarketDemand,
  rates: FeeRates,
): AssetAmount {
  return request.side === 'buy'
    ? { asset: instrument.quote, amount: outlayOfBuy(request.quantity, rates) }
    : { asset: instrument.base, amount: quantity };
}

/** What the rest of a LIMIT order on a pair must find. */
export function needOfLimit(order: HeldOrder, rates: FeeRates): AssetAmount {
  const { request, remaining } = order;
  const amount =
    request.side === 'buy'
      ? outlayOfBuy(multiplyFixed(request.limitPrice, remaining), rates)
      : remaining;
  return { asset: heldAsset(order), amount };
}

/** What a LIMIT order on a pair holds: quote to buy, base to sell. */
export function heldAsset({ request, instrument }: HeldOrder): Asset {
  return request.side === 'buy' ? instrument.quote : instrument.base;
}
