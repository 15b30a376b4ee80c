import { minFixed, type Fixed } from '../../domain/index.js';

/** The smallest of some limits. Undefined means no limit. */
export function leastLimit(limits: readonly (Fixed | undefined)[]): Fixed | undefined {
  return limits.reduce(
    (least, limit) =>
      least === undefined || limit === undefined ? (limit ?? least) : minFixed(least, limit),
    undefined,
  );
}
