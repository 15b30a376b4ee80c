import {
  divideFixed,
  contractPrice,
  contractValue,
  isInverse,
  type FillRecord,
  type Fixed,
  type Instrument,
} from '../../domain/index.js';

/** Sum of entry fills: Σ quantity, and Σ price × quantity (inverse contracts: Σ value in base). */
export interface EntrySum {
  entryNotional: Fixed;
  entryQuantity: Fixed;
}

/** Adds an opening fill; `notional`: price × quantity. */
export function addEntry(
  sum: EntrySum,
  instrument: Instrument,
  { price, quantity }: FillRecord,
  notional: Fixed,
): void {
  sum.entryQuantity += quantity;
  sum.entryNotional += isInverse(instrument)
    ? contractValue(instrument, quantity, price)
    : notional;
}

/** Average price of the added fills, harmonic for inverse contracts. */
export function averagePriceOf(
  { entryNotional, entryQuantity }: EntrySum,
  instrument: Instrument,
): Fixed {
  return isInverse(instrument)
    ? contractPrice(instrument, entryQuantity, entryNotional)
    : divideFixed(entryNotional, entryQuantity);
}
