import {
  divideFixed,
  FIXED_ONE,
  fixedToNumber,
  multiplyFixed,
  type Fixed,
  type Instrument,
  type ResolvedRules,
} from '../../domain/index.js';
import { canStandAlone, valueOfOne } from '../../risk/index.js';
import type { InstrumentAccount } from '../portfolio/instrument-account.js';

/** A quantity that the venue does not sell: at no price, or not while last is below the price `below`. */
export interface TooSmall {
  readonly quantity: Fixed;
  readonly below?: number | undefined;
}

/** Whether the result still holds, for a quantity at the last price. */
export function isTooSmall(
  tooSmall: TooSmall | undefined,
  quantity: Fixed,
  account: InstrumentAccount,
): boolean {
  if (tooSmall === undefined || tooSmall.quantity !== quantity) return false;
  return tooSmall.below === undefined || account.lastNumber < tooSmall.below;
}

/** Checks whether a quantity could be sold at a price; undefined if it could. */
export function findTooSmall(
  account: InstrumentAccount,
  quantity: Fixed,
  last: Fixed,
  rules: ResolvedRules,
): TooSmall | undefined {
  const { instrument } = account;
  if (canStandAlone(quantity, valueOfOne(instrument, last), rules)) return undefined;
  return { quantity, ...belowOf(instrument, quantity, rules) };
}

/** The price from which the money minimum is reached; `{}` if another minimum is missed, or if the price does not change the value. */
function belowOf(
  instrument: Instrument,
  quantity: Fixed,
  rules: ResolvedRules,
): { readonly below?: number } {
  const { minOrderMoney } = rules;
  const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
  const isByMoney = canStandAlone(quantity, undefined, rules);
  if (isInverse || !isByMoney || minOrderMoney === undefined) return {};
  const valueAtOne = multiplyFixed(quantity, valueOfOne(instrument, FIXED_ONE));
  // The nearest float of the exact price, as a last price is one: both are equal where the minimum is just reached.
  return { below: fixedToNumber(divideFixed(minOrderMoney, valueAtOne)) };
}
