import { normalCdf, normalQuantile } from './normal.js';

/** Of the shortest track records. */
const CONFIDENCE = 0.95;

/** An observed Sharpe ratio and its sample. */
export interface SharpeSample {
  /** Per period, not per year. For daily returns it is the annual ratio ÷ √365. */
  readonly sharpe: number;
  /** Number of returns. */
  readonly count: number;
  /** @defaultValue 0 */
  readonly skewness?: number | undefined;
  /** Not excess. @defaultValue 3, as of a normal distribution */
  readonly kurtosis?: number | undefined;
  /** First autocorrelation, used by the edition of 2026. @defaultValue 0 */
  readonly autocorrelation?: number | undefined;
}

/**
 * Probability that the true Sharpe ratio is above `benchmark`, edition of 2012: Φ((SR − SR*)·√(T − 1) ÷ √(1 − γ3·SR + (γ4 − 1)/4·SR²)).
 *
 * Units: `benchmark` per period, as the sample's. NaN if the moments give no variance.
 *
 * @see Source: Bailey, López de Prado 2012, The Sharpe Ratio Efficient Frontier, eq. 8
 */
export function probabilisticSharpe2012(sample: SharpeSample, benchmark = 0): number {
  const { sharpe, count } = sample;
  const spread = Math.sqrt(varianceFactor2012(sample));
  return normalCdf(((sharpe - benchmark) * Math.sqrt(count - 1)) / spread);
}

/**
 * Number of returns after which the Sharpe ratio is above `benchmark` with a confidence of 95 %, edition of 2012; Infinity if the ratio is not above it.
 *
 * Units: periods, with their fraction; `benchmark` per period.
 *
 * @see Source: Bailey, López de Prado 2012, eq. 11
 */
export function minimumTrackRecord2012(sample: Omit<SharpeSample, 'count'>, benchmark = 0): number {
  const lead = sample.sharpe - benchmark;
  if (!(lead > 0)) return Infinity;
  return 1 + varianceFactor2012(sample) * (normalQuantile(CONFIDENCE) / lead) ** 2;
}

function varianceFactor2012({
  sharpe,
  skewness = 0,
  kurtosis = 3,
}: Omit<SharpeSample, 'count'>): number {
  return 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
}

/**
 * Variance of the estimate of a Sharpe ratio whose true value is `sharpe`, edition of 2026, with a first autocorrelation ρ: (a − b·γ3·SR + c·(γ4 − 1)/4·SR²)
 * ÷ T, a = (1 + ρ)/(1 − ρ), b = (1 + ρ + ρ²)/(1 − ρ²), c = (1 + ρ²)/(1 − ρ²).
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
 * Probability that the true Sharpe ratio is above `benchmark`, edition of 2026. It differs from the edition of 2012: the variance is that of an estimate
 * whose true value is the benchmark, and T takes the place of T − 1. **It gives other numbers than 2012: name the edition beside the figure.**
 */
export function probabilisticSharpe2026(sample: SharpeSample, benchmark = 0): number {
  const variance = sharpeVariance2026({ ...sample, sharpe: benchmark });
  return normalCdf((sample.sharpe - benchmark) / Math.sqrt(variance));
}

/** As {@link minimumTrackRecord2012}, edition of 2026. */
export function minimumTrackRecord2026(sample: Omit<SharpeSample, 'count'>, benchmark = 0): number {
  const lead = sample.sharpe - benchmark;
  if (!(lead > 0)) return Infinity;
  const factor = varianceFactor2026({ ...sample, sharpe: benchmark });
  return factor * (normalQuantile(CONFIDENCE) / lead) ** 2;
}
