/** Windows that are summed side by side: an addition waits for the one before it, and meanwhile those of the others are done. */
const LANES = 8;

/** Values, and room of the same length for the sums of the windows that end with them. */
export interface SummedValues {
  readonly values: Float64Array;
  readonly sums: Float64Array;
}

/**
 * Sums the windows of `length` values that end at the rows from `first` to `end` (exclusive), each of which has `length - 1` values before
 * it.
 *
 * Each window is summed by itself, oldest first: every sum has the bits it would have alone.
 */
export function sumWindows(
  { values, sums }: SummedValues,
  length: number,
  { first, end }: { readonly first: number; readonly end: number },
): void {
  let row = first;
  if (length >= LANES)
    for (; row + LANES <= end; row += LANES) sumEight(values, sums, row - length + 1, row);
  for (; row < end; row += 1) sums[row] = sumWindow(values, row - length + 1, row);
}

/** Sum of the values from row `oldest` to row `newest`, in this order. */
export function sumWindow(values: Float64Array, oldest: number, newest: number): number {
  let sum = 0;
  for (let row = oldest; row <= newest; row += 1) sum += values[row] as number;
  return sum;
}

/**
 * Sums eight windows: the first from row `oldest` to row `newest`, each other one row later than the one before. What not all of them have
 * is written out: in the beginning they join one after the other, in the end they leave in the same order.
 */
function sumEight(values: Float64Array, sums: Float64Array, oldest: number, newest: number): void {
  const a1 = values[oldest] as number;
  const b1 = values[oldest + 1] as number;
  const c1 = values[oldest + 2] as number;
  const d1 = values[oldest + 3] as number;
  const e1 = values[oldest + 4] as number;
  const f1 = values[oldest + 5] as number;
  const g1 = values[oldest + 6] as number;
  let a = 0 + a1 + b1 + c1 + d1 + e1 + f1 + g1;
  let b = 0 + b1 + c1 + d1 + e1 + f1 + g1;
  let c = 0 + c1 + d1 + e1 + f1 + g1;
  let d = 0 + d1 + e1 + f1 + g1;
  let e = 0 + e1 + f1 + g1;
  let f = 0 + f1 + g1;
  let g = 0 + g1;
  let h = 0;
  for (let row = oldest + 7; row <= newest; row += 1) {
    const value = values[row] as number;
    a += value;
    b += value;
    c += value;
    d += value;
    e += value;
    f += value;
    g += value;
    h += value;
  }
  const b2 = values[newest + 1] as number;
  const c2 = values[newest + 2] as number;
  const d2 = values[newest + 3] as number;
  const e2 = values[newest + 4] as number;
  const f2 = values[newest + 5] as number;
  const g2 = values[newest + 6] as number;
  const h2 = values[newest + 7] as number;
  sums[newest] = a;
  sums[newest + 1] = b + b2;
  sums[newest + 2] = c + b2 + c2;
  sums[newest + 3] = d + b2 + c2 + d2;
  sums[newest + 4] = e + b2 + c2 + d2 + e2;
  sums[newest + 5] = f + b2 + c2 + d2 + e2 + f2;
  sums[newest + 6] = g + b2 + c2 + d2 + e2 + f2 + g2;
  sums[newest + 7] = h + b2 + c2 + d2 + e2 + f2 + g2 + h2;
}
