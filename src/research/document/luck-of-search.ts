import { DAY_MS } from '../../domain/index.js';
import { luckySharpe } from '../statistics/deflated-sharpe.js';
import { luckOfBest } from '../statistics/expected-maximum.js';
import { momentsOf } from '../statistics/moments.js';
import type { Sweep, SweepTrial } from './sweep-schema.js';

const DAYS_PER_YEAR = 365;

/** How far luck alone goes in a search of so many trials. */
export interface SearchLuck {
  /** Trials that came to something: of the sweep, and those before it. */
  readonly trials: number;
  /** The largest annual Sharpe ratio of the sweep. */
  readonly sharpe: number;
  /**
   * Probability that the best of so many trials without an edge reaches it, were they independent: where they are alike, as those of a grid,
   * fewer count, and it is smaller.
   */
  readonly probability: number;
  /** Annual Sharpe ratio that the best of so many is expected to show without an edge, as widely as those of the sweep scatter. */
  readonly expectedBest: number;
}

/**
 * Says how far luck alone goes in a sweep; undefined where no trial has a Sharpe ratio.
 *
 * @param before trials of the same strategy on the same data that were made before: a search is as long as all of them.
 */
export function luckOfSearch({ trials, counts }: Sweep, before: number): SearchLuck | undefined {
  const ranked = trials.flatMap((trial) => rankedOf(trial));
  const [first] = ranked;
  if (first === undefined) return undefined;
  const best = ranked.reduce((most, one) => (one.daily > most.daily ? one : most), first);
  const all = counts.finished + before;
  const variance = momentsOf(ranked.map(({ daily }) => daily))?.variance ?? 0;
  return {
    trials: all,
    sharpe: best.sharpe,
    probability: luckOfBest({ sharpe: best.daily, count: best.days, trials: all }),
    expectedBest: luckySharpe({ trials: all, variance }) * Math.sqrt(DAYS_PER_YEAR),
  };
}

interface Ranked {
  /** Of a year. */
  readonly sharpe: number;
  /** Of a day. */
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
