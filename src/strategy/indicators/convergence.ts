/** The start of an indicator counts as forgotten below this weight. */
const FORGOTTEN = 1e-9;

/** The convergence of an indicator whose beginning keeps its full weight for ever: a sum from the first candle on. */
export const NEVER = Number.POSITIVE_INFINITY;

/**
 * Number of values until the start of a chain of averages weighs less than 1e-9 in the last average. Each average moves toward its input by its weight:
 * the first reads the data, each other average reads the one before it. For one average it is the least n with (1 - weight)^n < 1e-9.
 *
 * `weights`: each over 0 and up to 1.
 */
export function convergenceOf(...weights: readonly number[]): number {
  const [only = 1] = weights;
  if (weights.length < 2)
    return Math.max(1, Math.floor(Math.log(FORGOTTEN) / Math.log1p(-only)) + 1);
  // The worst case: each average started wrong by the whole range of values, and all in the same direction.
  const errors = weights.map(() => 1);
  let values = 0;
  let last = 1;
  while (last >= FORGOTTEN) {
    last = 0;
    for (let index = 0; index < errors.length; index += 1) {
      const weight = weights[index] as number;
      last = (errors[index] as number) * (1 - weight) + weight * last;
      errors[index] = last;
    }
    values += 1;
  }
  return values;
}

/** Weight of a new value in an exponential average. */
export function exponentialWeight(period: number): number {
  return 2 / (period + 1);
}

/** Weight of a new value in an average as Wilder smooths. */
export function wilderWeight(period: number): number {
  return 1 / period;
}
