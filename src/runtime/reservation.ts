import {
  multiplyFixed,
  outlayOfBuy,
  type Asset,
  type FeeRates,
  type Fixed,
  type Instrument,
  type OrderRequest,
} from '../domain/index.js';

/**
 * What a working order holds back: a sell its base, a buy its quote at the limit, with the fee on top where fees are paid in quote.
 * `remaining` is in the order's unit.
 */
export function reservationOf(
  instrument: Instrument,
  request: OrderRequest,
  remaining: Fixed,
  fees: FeeRates,
): { readonly asset: Asset; readonly amount: Fixed } {
  if (request.side === 'sell') return { asset: instrument.base, amount: remaining };
  if (remaining === 0n) return { asset: instrument.quote, amount: 0n };
  const value = request.type === 'limit' ? multiplyFixed(request.limitPrice, remaining) : remaining;
  return { asset: instrument.quote, amount: outlayOfBuy(value, fees) };
}
