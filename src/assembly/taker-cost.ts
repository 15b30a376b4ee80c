import { FIXED_ONE, type Fixed } from '../domain/index.js';
import { createFillTerms, type FillConfig } from './create-venue.js';

/**
 * How far beyond the path a taker order trades, as a ratio of the price: half the spread, plus slippage. If slippage grows with the order, it is that of the
 * largest order that a candle may fill, because the volume of the candle in which a stop fires is not known before.
 */
export function takerCostOf(simulation: FillConfig): Fixed {
  const { slippage, halfSpread, participation } = createFillTerms(simulation);
  const share = participation === 'off' ? FIXED_ONE : participation;
  return halfSpread + slippage.ratio(share, { volume: () => FIXED_ONE });
}
