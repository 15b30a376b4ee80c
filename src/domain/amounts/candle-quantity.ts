import type { Instrument } from '../instruments/instrument.js';
import { divideFixed, divideHalfEven, FIXED_ONE, shareFixed, type Fixed } from './fixed.js';

/** A stored volume, its unit, and the close of its candle, which conversions to other units need. */
export interface CandleVolume {
  readonly volume: Fixed;
  readonly unit: 'base' | 'quote' | 'contracts';
  readonly price: Fixed;
}

/**
 * Turns a candle's volume into the quantity that orders are in: base for spot and margin, contracts for futures. Rounded once.
 *
 * Linear: contracts = base ÷ multiplier = quote ÷ (price × multiplier). Inverse, where the multiplier is a face value in quote:
 * contracts = quote ÷ multiplier = base × price ÷ multiplier. Spot: base = quote ÷ price.
 *
 * Files of exchanges count the volume of linear contracts in base: a volume of 12.345 BTC is 12,345 contracts of 0.001 BTC.
 */
export function candleQuantity(
  instrument: Instrument,
  { volume, unit, price }: CandleVolume,
): Fixed {
  if (unit === 'contracts') return volume;
  if (instrument.kind !== 'futures') return unit === 'quote' ? divideFixed(volume, price) : volume;
  const { contract, multiplier } = instrument;
  if (contract === 'linear') {
    return unit === 'base'
      ? divideFixed(volume, multiplier)
      : divideHalfEven(volume * FIXED_ONE * FIXED_ONE, price * multiplier);
  }
  return unit === 'quote' ? divideFixed(volume, multiplier) : shareFixed(volume, price, multiplier);
}
