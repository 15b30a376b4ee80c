import { FIXED_ONE, type Fixed } from '../domain/index.js';
import { createFillTerms, type FillConfig } from './create-venue.js';

/**
 * How far beyond the path orders trade by the configuration that take what there is, as a ratio of the price: half the spread, and slippage. Where that
 * grows with the order, of one that takes as much of a candle as any may, because nobody knows beforehand how much the candle trades in which a stop fires.
 */
export function takerCostOf(simulation: FillConfig): Fixed {
  const { slippage, halfSpread, participation } = createFillTerms(simulation);
  const share = participation === 'off' ? FIXED_ONE : participation;
  return halfSpread + slippage.ratio(share, { volume: () => FIXED_ONE });
}
