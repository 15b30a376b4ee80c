import type { Significance } from './significance-schema.js';

const DIGITS = 12;

/**
 * Writes a judgment as JSON text with a line feed at the end. Figures are rounded to 12 digits, because the last ones may differ between versions of V8. NaN
 * and infinite figures are null.
 */
export function writeSignificance(significance: Significance): string {
  return `${JSON.stringify(significance, (_, value: unknown) => rounded(value), 2)}\n`;
}

function rounded(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
}
