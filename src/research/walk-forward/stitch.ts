import {
  DAY_MS,
  divideFixed,
  fixedToNumber,
  parseFixed,
  type EpochMs,
} from '../../domain/index.js';
import { compoundAnnualGrowth, returnFigures, totalReturn } from '../../report/index.js';
import type { FinishedTrial } from '../trials/trial-schema.js';
import { wholeDaysOf, type Fold } from './lay-out-folds.js';
import type { FoldRun } from './run-walk-forward.js';

/** The test part of a fold. */
export type TestedFold = Pick<Fold, 'test'> & Pick<FoldRun, 'outside' | 'returns'>;

interface StitchedCurve {
  /** Equity at each midnight, starting with 1 at the start of the first test. */
  readonly points: readonly { readonly time: EpochMs; readonly value: number }[];
  /** Returns of the whole days of all tests, 0.01 for 1 %. Empty if a ruin leaves days out: figures of the others would hide it. */
  readonly returns: readonly number[];
}

/**
 * Chains the test parts, as if each began with the final equity of the one before. Within a part the curve follows its daily returns. At the end of a part it
 * follows its exact growth, closing costs included. The curve ends if an equity is not above 0.
 */
export function stitch(folds: readonly TestedFold[]): StitchedCurve {
  const points: { time: EpochMs; value: number }[] = [];
  const returns: number[] = [];
  let start = 1;
  let isWhole = true;
  for (const { test, outside, returns: daily } of folds) {
    if (start === 0) break;
    if (points.at(-1)?.time !== test.from) points.push({ time: test.from, value: start });
    const end = start * Math.max(0, growthOf(outside));
    if (daily === undefined && (end === 0 || hasWholeDay(outside))) isWhole = false;
    let value = start;
    for (const [day, change] of (daily?.values ?? []).entries()) {
      returns.push(change);
      value *= 1 + change;
      const time = (daily?.from ?? Number.NaN) + day * DAY_MS;
      if (time < test.to) points.push({ time, value });
    }
    points.push({ time: test.to, value: end });
    start = end;
  }
  return { points, returns: isWhole ? returns : [] };
}

/** Whether a run has daily returns, unless its equity was not above 0. */
function hasWholeDay(run: FinishedTrial): boolean {
  const { from, to } = wholeDaysOf(run);
  return from < to;
}

function growthOf({ equity }: FinishedTrial): number {
  const initial = parseFixed(equity.initial);
  return initial <= 0n ? 0 : fixedToNumber(divideFixed(parseFixed(equity.final), initial));
}

/** Figures of consecutive runs, as if they were one run. A figure that they cannot support is null. */
interface StitchedFigures {
  readonly totalReturn: number | null;
  readonly cagr: number | null;
  readonly volatility: number | null;
  readonly sharpe: number | null;
  readonly sortino: number | null;
  /** From the values at midnights. */
  readonly maxDrawdown: number;
}

/** Figures of a stitched curve by the definitions of a result's statistics, except that the drawdown is by days. */
export function stitchedFigures(
  folds: readonly TestedFold[],
  { points, returns }: StitchedCurve,
): StitchedFigures {
  const growth = chain(folds.map(({ outside }) => outside));
  return {
    totalReturn: totalReturn(growth),
    ...returnFigures(returns, growth),
    maxDrawdown: fallOf(points.map(({ value }) => value)),
  };
}

/** Annual growth of runs, as if each began with the final equity of the one before; null if one of them was ruined. 0.1 for 10 %. */
export function annualReturnOf(runs: readonly FinishedTrial[]): number | null {
  return compoundAnnualGrowth(chain(runs));
}

/** Annual return outside ÷ inside; null if one is missing, or if the return inside is not above 0. */
export function efficiencyOf(inside: number | null, outside: number | null): number | null {
  return inside === null || outside === null || inside <= 0 ? null : outside / inside;
}

/** Exact product of the growths of all runs. If one run is ruined, the chain is. */
function chain(runs: readonly FinishedTrial[]): Parameters<typeof compoundAnnualGrowth>[0] {
  const growth = { initialEquity: 1n, finalEquity: 1n, durationMs: 0 };
  for (const { equity, from, to } of runs) {
    const [initial, final] = [parseFixed(equity.initial), parseFixed(equity.final)];
    growth.initialEquity *= initial;
    growth.finalEquity *= final > 0n ? final : 0n;
    growth.durationMs += to - from;
  }
  return growth;
}

function fallOf(values: readonly number[]): number {
  let [top, fall] = [0, 0];
  for (const value of values) {
    top = Math.max(top, value);
    if (top > 0) fall = Math.max(fall, 1 - value / top);
  }
  return fall;
}
