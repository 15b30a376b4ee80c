import {
  fixedToNumber,
  multiplyFixed,
  type Fixed,
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
  const oneCosts = valueOfOne(account.instrument, last);
  if (canStandAlone(quantity, oneCosts, rules)) return undefined;
  return { quantity, ...belowOf(account, multiplyFixed(quantity, oneCosts), rules) };
}

/** The price from which the money minimum is reached; `{}` if another minimum is missed, or if the price does not change the value. */
function belowOf(
  { instrument, lastNumber }: InstrumentAccount,
  value: Fixed,
  { minOrderMoney = 0n }: ResolvedRules,
): { readonly below?: number } {
  const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
  const isByMoney = value < minOrderMoney && value > 0n;
  if (isInverse || !isByMoney) return {};
  return { below: (lastNumber * fixedToNumber(minOrderMoney)) / fixedToNumber(value) };
}
