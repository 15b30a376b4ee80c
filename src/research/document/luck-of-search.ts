import { DAY_MS, DAYS_PER_YEAR } from '../../domain/index.js';
import { luckySharpe } from '../statistics/deflated-sharpe.js';
import { luckOfBest } from '../statistics/expected-maximum.js';
import { momentsOf } from '../statistics/moments.js';
import type { Sweep, SweepTrial } from './sweep-schema.js';

/** How far luck alone goes in a search of so many trials. */
export interface SearchLuck {
  /** Finished trials: those of the sweep, and those before it. */
  readonly trials: number;
  /** The largest annual Sharpe ratio of the sweep. */
  readonly sharpe: number;
  /**
   * Probability that the best of so many independent trials without an edge reaches it. Similar trials, such as those of a grid, count as fewer, and the
   * probability is smaller.
   */
  readonly probability: number;
  /**
   * Annual Sharpe ratio that the best of so many trials is expected to show without an edge, given the variance of the sweep's ratios; null if it has fewer
   * than two ratios.
   */
  readonly expectedBest: number | null;
}

/**
 * Computes how far luck alone goes in a sweep; undefined if no trial has a Sharpe ratio.
 *
 * @param before number of earlier trials of the same strategy on the same data: a search is as long as all of them.
 */
export function luckOfSearch({ trials, counts }: Sweep, before: number): SearchLuck | undefined {
  const ranked = trials.flatMap((trial) => rankedOf(trial));
  const [first] = ranked;
  if (first === undefined) return undefined;
  const best = ranked.reduce((most, one) => (one.daily > most.daily ? one : most), first);
  const all = counts.finished + before;
  const variance = momentsOf(ranked.map(({ daily }) => daily))?.variance ?? NaN;
  const lucky = luckySharpe({ trials: all, variance });
  return {
    trials: all,
    sharpe: best.sharpe,
    probability: luckOfBest({ sharpe: best.daily, count: best.days, trials: all }),
    expectedBest: Number.isNaN(lucky) ? null : lucky * Math.sqrt(DAYS_PER_YEAR),
  };
}

interface Ranked {
  /** Annual. */
  readonly sharpe: number;
  /** Per day. */
  readonly daily: number;
  /** Whole UTC days. */
  readonly days: number;
}

function rankedOf(trial: SweepTrial): readonly Ranked[] {
  if (trial.status !== 'finished' || trial.statistics.sharpe === null) return [];
  const { sharpe } = trial.statistics;
  const days = Math.floor(trial.to / DAY_MS) - Math.ceil(trial.from / DAY_MS);
  return [{ sharpe, daily: sharpe / Math.sqrt(DAYS_PER_YEAR), days }];
}
