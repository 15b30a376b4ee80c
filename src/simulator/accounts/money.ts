import { contractValue, multiplyFixed, type Fixed, type Instrument } from '../../domain/index.js';

/**
 * Value of a quantity at a price in quote, rounded once: base × price, contracts × multiplier × price (linear), contracts × face value (inverse, at
 * any price).
 */
export function moneyOf(instrument: Instrument, quantity: Fixed, price: Fixed): Fixed {
  if (instrument.kind !== 'futures') return multiplyFixed(price, quantity);
  return instrument.contract === 'inverse'
    ? multiplyFixed(quantity, instrument.multiplier)
    : contractValue(instrument, quantity, price);
}
