import { drawStationaryPath, type Random } from './stationary-bootstrap.js';
import type { Steps } from './steps.js';
import { requireReturns, type TrialReturns } from './trial-returns.js';

interface RealityCheckOptions {
  readonly random: Random;
  /** Mean length of a block of days, at least 1: the estimate of `estimateBlockLengths` for such returns. */
  readonly meanBlock: number;
  /** Number of draws. @defaultValue 1000 */
  readonly draws?: number | undefined;
  /** Daily returns of the benchmark. @defaultValue returns of 0 */
  readonly benchmark?: ArrayLike<number> | undefined;
}

/** Whether the best of all trials beats a benchmark by more than luck does. A p-value is the share of draws that reach at least as much. */
export interface RealityCheck {
  readonly draws: number;
  /** White's reality check: √n·max mean, and its p-value. */
  readonly white: { readonly statistic: number; readonly p: number };
  /** Hansen's test of superior predictive ability: max(0, max √n·mean/ω), and its three p-values in rising order. */
  readonly spa: {
    readonly statistic: number;
    readonly lower: number;
    readonly consistent: number;
    readonly upper: number;
  };
}

const DEFAULT_DRAWS = 1_000;
/** Draws that are computed in one pass over the columns. */
const TOGETHER = 4;
/** An autocovariance with a smaller weight changes no digit. */
const NO_WEIGHT = 1e-18;

/**
 * White's reality check and Hansen's SPA over one set of draws. Every draw is one path of the stationary bootstrap, which all columns follow. So correlated
 * trials stay correlated, and no number of trials is needed. Columns whose returns all differ from the benchmark's by the same margin have no ω and are left
 * out of SPA.
 *
 * It takes N·T·draws multiplications (1,000 × 1,000 × 1,000: one to two seconds), and 8 bytes × N × T. It pauses after every few draws.
 *
 * @throws {DataError} `E_SAMPLE` with fewer than 3 days or without trials.
 * @see Source: White 2000, A Reality Check for Data Snooping; Hansen 2005, A Test for Superior Predictive Ability
 */
export function* realitySteps(
  returns: TrialReturns,
  options: RealityCheckOptions,
): Steps<RealityCheck> {
  requireReturns(returns, { days: 3, trials: 1 });
  const { random, meanBlock, draws = DEFAULT_DRAWS, benchmark } = options;
  const { days } = returns;
  const columns = returns.columns.map((column) => lessBenchmark(column, benchmark));
  const kernel = kernelOf(days, meanBlock);
  const facts = columns.map((column) => describe(column, kernel));
  const statistic = facts.reduce((most, { mean }) => Math.max(most, mean), -Infinity);
  const studentized = facts.reduce((most, { mean, scale }) => Math.max(most, mean * scale), 0);
  const reached = { white: 0, lower: 0, consistent: 0, upper: 0 };
  for (let done = 0; done < draws; done += TOGETHER) {
    const batch = Math.min(TOGETHER, draws - done);
    const weights = Array.from({ length: TOGETHER }, (_, at) =>
      at < batch ? drawWeights(days, meanBlock, random) : new Float64Array(days),
    );
    for (const most of maximaOf(columns, facts, weights).slice(0, batch)) {
      if (most.white >= statistic) reached.white += 1;
      if (most.lower >= studentized) reached.lower += 1;
      if (most.consistent >= studentized) reached.consistent += 1;
      if (most.upper >= studentized) reached.upper += 1;
    }
    yield (done + batch) / draws;
  }
  return {
    draws,
    white: { statistic: Math.sqrt(days) * statistic, p: reached.white / draws },
    spa: {
      statistic: studentized,
      lower: reached.lower / draws,
      consistent: reached.consistent / draws,
      upper: reached.upper / draws,
    },
  };
}

function lessBenchmark(
  column: Float64Array,
  benchmark: ArrayLike<number> | undefined,
): Float64Array {
  return benchmark === undefined
    ? column
    : column.map((value, day) => value - (benchmark[day] ?? 0));
}

/** Facts about a column that do not depend on the draws. */
interface ColumnFacts {
  readonly mean: number;
  /** √n/ω; 0 if there is no ω. */
  readonly scale: number;
  /** Values that are subtracted from draws for the lower and the consistent p-value. The upper one subtracts the mean. */
  readonly lower: number;
  readonly consistent: number;
}

function describe(column: Float64Array, kernel: Kernel): ColumnFacts {
  const count = column.length;
  const mean = column.reduce((sum, value) => sum + value, 0) / count;
  const isFlat = column.every((value) => value === column[0]);
  const variance = isFlat ? 0 : longRunVariance(column, mean, kernel);
  const bound = -Math.sqrt((variance / count) * 2 * Math.log(Math.log(count)));
  return {
    mean,
    scale: variance > 0 ? Math.sqrt(count / variance) : 0,
    lower: Math.max(0, mean),
    consistent: mean >= bound ? mean : 0,
  };
}

/** Lags and the weights κ of their autocovariances. */
type Kernel = readonly (readonly [lag: number, weight: number])[];

function kernelOf(count: number, meanBlock: number): Kernel {
  const stay = 1 - 1 / meanBlock;
  const kernel: (readonly [number, number])[] = [];
  for (let lag = 1; lag < count; lag += 1) {
    const weight = ((count - lag) / count) * stay ** lag + (lag / count) * stay ** (count - lag);
    if (weight > NO_WEIGHT) kernel.push([lag, weight]);
  }
  return kernel;
}

/** ω² = γ̂₀ + 2Σ κᵢ·γ̂ᵢ: the variance of √n·mean under the stationary bootstrap. */
function longRunVariance(column: Float64Array, mean: number, kernel: Kernel): number {
  const centered = column.map((value) => value - mean);
  const productAt = (lag: number): number => {
    let sum = 0;
    for (let day = lag; day < centered.length; day += 1)
      sum += (centered[day] as number) * (centered[day - lag] as number);
    return sum / centered.length;
  };
  return kernel.reduce((sum, [lag, weight]) => sum + 2 * weight * productAt(lag), productAt(0));
}

/** How often a path passes each day, as a share of all days. The sum of products with a column is the mean along the path. */
function drawWeights(days: number, meanBlock: number, random: Random): Float64Array {
  const weights = new Float64Array(days);
  for (const day of drawStationaryPath(days, meanBlock, random))
    weights[day] = (weights[day] as number) + 1;
  return weights.map((count) => count / days);
}

interface Maxima {
  white: number;
  lower: number;
  consistent: number;
  upper: number;
}

function maximaOf(
  columns: readonly Float64Array[],
  facts: readonly ColumnFacts[],
  weights: readonly Float64Array[],
): readonly Maxima[] {
  const maxima = weights.map(() => ({ white: -Infinity, lower: 0, consistent: 0, upper: 0 }));
  const means = new Float64Array(TOGETHER);
  for (const [index, column] of columns.entries()) {
    const fact = facts[index] as ColumnFacts;
    sumAlong(column, weights, means);
    for (const [at, most] of maxima.entries()) take(most, means[at] as number, fact);
  }
  return maxima;
}

function sumAlong(
  column: Float64Array,
  weights: readonly Float64Array[],
  means: Float64Array,
): void {
  const [first, second, third, fourth] = weights as readonly [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let day = 0; day < column.length; day += 1) {
    const value = column[day] as number;
    a += value * (first[day] as number);
    b += value * (second[day] as number);
    c += value * (third[day] as number);
    d += value * (fourth[day] as number);
  }
  means[0] = a;
  means[1] = b;
  means[2] = c;
  means[3] = d;
}

function take(most: Maxima, mean: number, fact: ColumnFacts): void {
  const { scale } = fact;
  most.white = Math.max(most.white, mean - fact.mean);
  most.upper = Math.max(most.upper, (mean - fact.mean) * scale);
  most.consistent = Math.max(most.consistent, (mean - fact.consistent) * scale);
  most.lower = Math.max(most.lower, (mean - fact.lower) * scale);
}
