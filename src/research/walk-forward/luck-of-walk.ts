import { DAYS_PER_YEAR } from '../../domain/index.js';
import {
  deflatedSharpe2014,
  deflatedSharpe2026,
  luckySharpe,
} from '../statistics/deflated-sharpe.js';
import { momentsOf, sharpeOf } from '../statistics/moments.js';
import type { TrialOutcome } from '../trials/trial-schema.js';

/** Digits that are kept: exponentials may differ in their last digits between versions of V8. */
const DIGITS = 12;

/** The stitched curve compared with luck in a search of so many trials. */
interface LuckOfWalk {
  /** Training runs of all folds that have a Sharpe ratio. */
  readonly trials: number;
  /** Annual Sharpe ratio that the best of these trials is expected to reach without an edge, by the variance of their ratios. */
  readonly lucky: number;
  /** Deflated Sharpe ratio by the edition of 2014. */
  readonly dsr2014: number;
  /** By the edition of 2026, with the variance of the maximum. */
  readonly dsr2026: number;
}

/**
 * Deflates the Sharpe ratio of a stitched curve by all trials of its walk-forward.
 *
 * @param returns daily returns of the curve.
 * @param outcomes of all training parts.
 * @returns null if the returns are too few or all equal, if fewer than two trials have a Sharpe ratio, or if the ratio has no variance.
 */
export function luckOfWalk(
  returns: readonly number[],
  outcomes: readonly TrialOutcome[],
): LuckOfWalk | null {
  const sharpes = outcomes.flatMap((outcome) =>
    outcome.status === 'finished' && outcome.statistics.sharpe !== null
      ? [outcome.statistics.sharpe / Math.sqrt(DAYS_PER_YEAR)]
      : [],
  );
  const moments = momentsOf(returns);
  const spread = momentsOf(sharpes);
  if (moments === undefined || spread === undefined || moments.variance === 0) return null;
  const sample = { ...moments, sharpe: sharpeOf(moments) };
  const search = { trials: sharpes.length, variance: spread.variance };
  const figures = {
    lucky: luckySharpe(search) * Math.sqrt(DAYS_PER_YEAR),
    dsr2014: deflatedSharpe2014(sample, search),
    dsr2026: deflatedSharpe2026(sample, search),
  };
  if (!Object.values(figures).every(Number.isFinite)) return null;
  return {
    trials: sharpes.length,
    lucky: rounded(figures.lucky),
    dsr2014: rounded(figures.dsr2014),
    dsr2026: rounded(figures.dsr2026),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
