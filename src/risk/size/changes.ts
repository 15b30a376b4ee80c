import { formatFixed, type Fixed, type RiskChange } from '../../domain/index.js';
import type { Amount } from './amount.js';

/** The change entry of a rounded number; undefined if the number was on the grid already. */
export function roundingChange(
  field: RiskChange['field'],
  from: Amount,
  to: Fixed,
): RiskChange | undefined {
  if (from === to) return undefined;
  // A Decimal has more than 18 decimals, so it was never on a grid.
  return { kind: 'rounded', field, from: formatAmount(from), to: formatFixed(to) };
}

function formatAmount(amount: Amount): string {
  return typeof amount === 'bigint' ? formatFixed(amount) : amount.toString();
}

export function quantityChange(
  kind: Exclude<RiskChange['kind'], 'rounded'>,
  from: Fixed,
  to: string,
): RiskChange {
  return { kind, field: 'quantity', from: formatFixed(from), to };
}
