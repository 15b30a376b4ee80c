/** A ratio of a result file; null if the sample cannot support it. */
export type Figure = number | null;

/** Divides two floats; null if the divisor is 0 or the quotient is not finite. */
export function ratioOf(numerator: number, divisor: number): Figure {
  const quotient = numerator / divisor;
  return divisor === 0 || !Number.isFinite(quotient) ? null : quotient;
}

/** Adds from the first to the last: float64 addition is not associative, so the order changes every figure. */
export function sumInOrder(values: ArrayLike<number>): number {
  let sum = 0;
  // By index: iterating over a million closes takes ten times as long.
  for (let index = 0; index < values.length; index += 1) sum += values[index] ?? Number.NaN;
  return sum;
}
