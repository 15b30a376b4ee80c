import { formatFixed, parseFixed } from '../../domain/index.js';

/** Exact sum of amounts. */
export function addAmounts(amounts: readonly string[]): string {
  return formatFixed(amounts.reduce((sum, amount) => sum + parseFixed(amount), 0n));
}

/** Exact difference of two amounts. */
export function subtractAmounts(amount: string, less: string): string {
  return formatFixed(parseFixed(amount) - parseFixed(less));
}
