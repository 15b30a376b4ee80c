import { normalCdf, normalQuantile } from './normal.js';

/** An observed Sharpe ratio and the sample it is of. */
export interface SharpeSample {
  /** Per period, not per year: of daily returns the annual one ÷ √365. */
  readonly sharpe: number;
  /** Returns. */
  readonly count: number;
  /** @defaultValue 0 */
  readonly skewness?: number | undefined;
  /** Not excess. @defaultValue 3, that of a normal distribution */
  readonly kurtosis?: number | undefined;
  /** First autocorrelation, which the edition of 2026 reads. @defaultValue 0 */
  readonly autocorrelation?: number | undefined;
}

/**
 * Probability that the true Sharpe ratio is above `benchmark`, edition of 2012: Φ((SR − SR*)·√(T − 1) ÷ √(1 − γ3·SR + (γ4 − 1)/4·SR²)).
 *
 * Units: `benchmark` per period, as the sample's. NaN where the moments leave no variance.
 *
 * @see Source: Bailey, López de Prado 2012, The Sharpe Ratio Efficient Frontier, eq. 8
 */
export function probabilisticSharpe2012(sample: SharpeSample, benchmark = 0): number {
  const { sharpe, count } = sample;
  const spread = Math.sqrt(varianceFactor2012(sample));
  return normalCdf(((sharpe - benchmark) * Math.sqrt(count - 1)) / spread);
}

/**
 * Returns that are needed until the Sharpe ratio is above `benchmark` at the given confidence, edition of 2012; Infinity where it is not
 * above it at all.
 *
 * Units: periods, with their fraction. `confidence` 0.95 for 95 %.
 *
 * @see Source: Bailey, López de Prado 2012, eq. 11
 */
export function minimumTrackRecord2012(
  sample: Omit<SharpeSample, 'count'>,
  { benchmark = 0, confidence = 0.95 }: TrackRecordOptions = {},
): number {
  const lead = sample.sharpe - benchmark;
  if (!(lead > 0)) return Infinity;
  return 1 + varianceFactor2012(sample) * (normalQuantile(confidence) / lead) ** 2;
}

export interface TrackRecordOptions {
  /** Sharpe ratio per period that is to be beaten. @defaultValue 0 */
  readonly benchmark?: number | undefined;
  /** @defaultValue 0.95 */
  readonly confidence?: number | undefined;
}

function varianceFactor2012({
  sharpe,
  skewness = 0,
  kurtosis = 3,
}: Omit<SharpeSample, 'count'>): number {
  return 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
}

/**
 * Variance of the estimate of a Sharpe ratio that is in truth `sharpe`, edition of 2026, whose terms know a first autocorrelation ρ:
 * (a − b·γ3·SR + c·(γ4 − 1)/4·SR²) ÷ T, a = (1 + ρ)/(1 − ρ), b = (1 + ρ + ρ²)/(1 − ρ²), c = (1 + ρ²)/(1 − ρ²).
 *
 * @see Source: López de Prado, Lipton, Zoonekynd 2026, How to Use the Sharpe Ratio
 */
export function sharpeVariance2026(sample: SharpeSample): number {
  return varianceFactor2026(sample) / sample.count;
}

function varianceFactor2026({
  sharpe,
  skewness = 0,
  kurtosis = 3,
  autocorrelation: rho = 0,
}: Omit<SharpeSample, 'count'>): number {
  const rest = 1 - rho * rho;
  const a = (1 + rho) / (1 - rho);
  const b = (1 + rho + rho * rho) / rest;
  const c = (1 + rho * rho) / rest;
  return a - b * skewness * sharpe + c * ((kurtosis - 1) / 4) * sharpe * sharpe;
}

/**
 * Probability that the true Sharpe ratio is above `benchmark`, edition of 2026: as that of 2012, with the variance of an estimate whose
 * truth is the benchmark, and T in place of T − 1. **It gives other numbers than 2012: name the edition beside the figure.**
 */
export function probabilisticSharpe2026(sample: SharpeSample, benchmark = 0): number {
  const variance = sharpeVariance2026({ ...sample, sharpe: benchmark });
  return normalCdf((sample.sharpe - benchmark) / Math.sqrt(variance));
}

/** As {@link minimumTrackRecord2012}, edition of 2026. */
export function minimumTrackRecord2026(
  sample: Omit<SharpeSample, 'count'>,
  { benchmark = 0, confidence = 0.95 }: TrackRecordOptions = {},
): number {
  const lead = sample.sharpe - benchmark;
  if (!(lead > 0)) return Infinity;
  const factor = varianceFactor2026({ ...sample, sharpe: benchmark });
  return factor * (normalQuantile(confidence) / lead) ** 2;
}
