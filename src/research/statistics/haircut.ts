import { normalCdf, normalQuantile } from './normal.js';

/** p-values of tests that were made together, each adjusted so that it reads as the p-value of a single test. In the order of the tests. */
interface AdjustedPValues {
  /** min(1, M·p). */
  readonly bonferroni: readonly number[];
  /** 1 − (1 − p)^M, exact for independent tests. */
  readonly sidak: readonly number[];
  /** Holm's step-down method: never above Bonferroni's. */
  readonly holm: readonly number[];
  /** Benjamini, Hochberg, Yekutieli: the expected share of false discoveries, whatever the dependence. */
  readonly bhy: readonly number[];
}

/**
 * Adjusts the p-values of M tests. All of them must be given, the best included.
 *
 * @see Source: Harvey, Liu 2015, Backtesting
 */
export function adjustPValues(pValues: readonly number[]): AdjustedPValues {
  const count = pValues.length;
  const order = pValues
    .map((_, index) => index)
    .sort((a, b) => (pValues[a] ?? 0) - (pValues[b] ?? 0));
  const rising = Float64Array.from(order, (index) => pValues[index] ?? 0);
  return {
    bonferroni: pValues.map((p) => bonferroniOf(p, count)),
    sidak: pValues.map((p) => sidakOf(p, count)),
    holm: inPlaces(order, stepDown(rising)),
    bhy: inPlaces(order, stepUp(rising)),
  };
}

/** Each p-value times the number of tests not yet passed, at least as large as the one before it. */
function stepDown(rising: Float64Array): Float64Array {
  let most = 0;
  return rising.map((p, index) => (most = Math.max(most, (rising.length - index) * p)));
}

/**
 * Each p-value times M/rank·Σ 1/j, at most as large as the one after it. The source leaves the largest as it is. Here it has the factor too, as in Benjamini,
 * Yekutieli 2001: without it the share of false discoveries may be larger than promised.
 */
function stepUp(rising: Float64Array): Float64Array {
  const factor = rising.length * rising.reduce((sum, _, index) => sum + 1 / (index + 1), 0);
  const adjusted = rising.map((p, index) => (p * factor) / (index + 1));
  for (let index = adjusted.length - 2; index >= 0; index -= 1)
    adjusted[index] = Math.min(adjusted[index] ?? 1, adjusted[index + 1] ?? 1);
  return adjusted;
}

function inPlaces(order: readonly number[], sorted: Float64Array): readonly number[] {
  const result = new Array<number>(order.length);
  for (const [rank, index] of order.entries()) result[index] = Math.min(1, sorted[rank] ?? 1);
  return result;
}

/** min(1, M·p). */
export function bonferroniOf(p: number, tests: number): number {
  return Math.min(1, p * tests);
}

/** 1 − (1 − p)^M. */
export function sidakOf(p: number, tests: number): number {
  return -Math.expm1(tests * Math.log1p(-p));
}

/** Two-sided p-value of an annual Sharpe ratio over a number of years, by the normal distribution. */
export function pValueOf(sharpe: number, years: number): number {
  return 2 * normalCdf(-Math.abs(sharpe) * Math.sqrt(years));
}

/** The annual Sharpe ratio with this two-sided p-value after a number of years: the ratio that is left after its p-value was adjusted. Infinity for 0. */
export function sharpeAt(p: number, years: number): number {
  return -normalQuantile(p / 2) / Math.sqrt(years);
}
