/** Quantiles of many values: 5 % are below `p5`, and so on. */
export interface Quantiles {
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
}

/** Quantiles of at least one number, interpolated between neighboring values. */
export function quantilesOf(values: Float64Array): Quantiles {
  const sorted = values.toSorted();
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const low = sorted[below] ?? Number.NaN;
    const high = sorted[below + 1] ?? low;
    return low + (high - low) * (place - below);
  };
  return { p5: at(0.05), p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95) };
}
