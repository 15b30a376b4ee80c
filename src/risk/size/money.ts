import {
  FIXED_ONE,
  maxFixed,
  multiplyFixed,
  stepOfPrecision,
  type Fixed,
  type Instrument,
  type ResolvedRules,
} from '../../domain/index.js';

/** Decimals of a quote amount sent with a MARKET order. The interface gives no precision for it. Assumption: 8, as its deployments show balances. */
export const QUOTE_DECIMALS = 8;
export const QUOTE_STEP: Fixed = stepOfPrecision(QUOTE_DECIMALS);

/** Value of a quantity of 1 at this price, in quote, never 0: the price itself, or the value of one contract. */
export function valueOfOne(instrument: Instrument, price: Fixed): Fixed {
  if (instrument.kind !== 'futures') return price;
  return instrument.contract === 'linear'
    ? maxFixed(multiplyFixed(price, instrument.multiplier), 1n)
    : instrument.multiplier;
}

/** Largest multiple of `step` that is not above a value ≥ 0. Needs one division less than a version for any sign. */
export function floorPositive(value: Fixed, step: Fixed): Fixed {
  const excess = value % step;
  return excess === 0n ? value : value - excess;
}

/** Largest quantity on the step grid that costs at most `money` ≥ 0. */
export function quantityForMoney(money: Fixed, oneCosts: Fixed, rules: ResolvedRules): Fixed {
  return ((money * FIXED_ONE) / (oneCosts * rules.step)) * rules.step;
}

/** Name of the unit of a quantity, for messages. */
export function quantityUnitName(instrument: Instrument): string {
  return instrument.kind === 'futures' ? 'contracts' : instrument.base;
}
