import { DAY_MS } from '../../domain/index.js';
import { luckOfBest } from '../statistics/expected-maximum.js';
import type { Sweep } from './sweep-schema.js';

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
}

/**
 * Says how far luck alone goes in a sweep; undefined where no trial has a Sharpe ratio.
 *
 * @param before trials of the same strategy on the same data that were made before: a search is as long as all of them.
 */
export function luckOfSearch({ trials, counts }: Sweep, before: number): SearchLuck | undefined {
  let found: SearchLuck | undefined;
  for (const trial of trials) {
    if (trial.status !== 'finished' || trial.statistics.sharpe === null) continue;
    const { sharpe } = trial.statistics;
    if (found !== undefined && sharpe <= found.sharpe) continue;
    const all = counts.finished + before;
    const count = Math.floor(trial.to / DAY_MS) - Math.ceil(trial.from / DAY_MS);
    const daily = sharpe / Math.sqrt(DAYS_PER_YEAR);
    found = { trials: all, sharpe, probability: luckOfBest({ sharpe: daily, count, trials: all }) };
  }
  return found;
}
