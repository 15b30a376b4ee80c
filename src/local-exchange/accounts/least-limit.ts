import { minFixed, type Fixed } from '../../domain/index.js';

/** The smallest of some limits, of which those that are undefined are none. */
export function leastLimit(limits: readonly (Fixed | undefined)[]): Fixed | undefined {
  return limits.reduce(
    (least, limit) =>
      least === undefined || limit === undefined ? (limit ?? least) : minFixed(least, limit),
    undefined,
  );
}
