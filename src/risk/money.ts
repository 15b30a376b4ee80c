import {
  FIXED_ONE,
  maxFixed,
  multiplyFixed,
  stepOfPrecision,
  type Fixed,
  type Instrument,
  type ResolvedRules,
} from '../domain/index.js';

/**
 * Decimals of a quote amount sent with a MARKET order. The interface names no precision for it; 8 is what its deployments show for
 * balances. Assumption.
 */
export const QUOTE_DECIMALS = 8;
export const QUOTE_STEP: Fixed = stepOfPrecision(QUOTE_DECIMALS);

/** Money (quote) in a quantity of 1 at this price, never 0: the price itself, or a contract's face value in quote. */
export function valueOfOne(instrument: Instrument, price: Fixed): Fixed {
  if (instrument.kind !== 'futures') return price;
  return instrument.contract === 'linear'
    ? maxFixed(multiplyFixed(price, instrument.multiplier), 1n)
    : instrument.multiplier;
}

/** Largest multiple of `step` that is not above a value ≥ 0; one division less than for any sign. */
export function floorPositive(value: Fixed, step: Fixed): Fixed {
  const excess = value % step;
  return excess === 0n ? value : value - excess;
}

/** Largest quantity on the step grid that costs at most `money` ≥ 0. */
export function quantityForMoney(money: Fixed, oneCosts: Fixed, rules: ResolvedRules): Fixed {
  return ((money * FIXED_ONE) / (oneCosts * rules.step)) * rules.step;
}

/** What a quantity is counted in, for messages. */
export function quantityUnitName(instrument: Instrument): string {
  return instrument.kind === 'futures' ? 'contracts' : instrument.base;
}
