import { FIXED_ONE, formatFixed, type Fixed } from './amounts/fixed.js';

/** The noun for a count, for people: `nounOf(1, 'fill')` is "fill"; for 0 and 2 it is "fills". */
export function nounOf(count: number, singular: string, plural = `${singular}s`): string {
  return count === 1 ? singular : plural;
}

/** An amount with its unit, an asset or `contracts`, for people: "0.5 BTC", "1 contract". */
export function amountText(amount: Fixed, unit: string): string {
  const isOne = unit === 'contracts' && amount === FIXED_ONE;
  return `${formatFixed(amount)} ${isOne ? 'contract' : unit}`;
}
