import { DataError, DAYS_PER_YEAR } from '../../domain/index.js';
import {
  minimumTrackRecord2012,
  minimumTrackRecord2026,
  probabilisticSharpe2012,
  probabilisticSharpe2026,
  type SharpeSample,
} from '../statistics/probabilistic-sharpe.js';
import { LEAST_DAYS, type SearchedTrial } from './searched-trial.js';
import type { TrialAlone } from './significance-schema.js';

/** A trial that has a Sharpe ratio. */
export type RankedTrial = SearchedTrial & { readonly sharpe: number };

/** Converts a daily Sharpe ratio to an annual one. */
export function ofYear(sharpe: number): number {
  return sharpe * Math.sqrt(DAYS_PER_YEAR);
}

export function isRanked(trial: SearchedTrial): trial is RankedTrial {
  return trial.sharpe !== undefined;
}

/**
 * The trial with the largest Sharpe ratio; of equal ones the first.
 *
 * @throws {DataError} `E_SAMPLE` when no trial has a Sharpe ratio.
 */
export function bestOf(trials: readonly SearchedTrial[], shown: string): RankedTrial {
  const ranked = trials.filter(isRanked);
  const [first] = ranked;
  if (first !== undefined)
    return ranked.reduce((best, one) => (one.sharpe > best.sharpe ? one : best), first);
  const longest = trials.reduce((most, { moments }) => Math.max(most, moments.count), 0);
  throw new DataError(
    'E_SAMPLE',
    longest < LEAST_DAYS
      ? `${shown}: expected at least ${String(LEAST_DAYS)} daily returns of a trial, received at most ${String(longest)}; use a longer range`
      : `${shown}: expected a trial with daily returns that differ, received none`,
  );
}

export function sampleOf({ sharpe, moments }: RankedTrial): SharpeSample {
  const { count, skewness, kurtosis, autocorrelation } = moments;
  return { sharpe, count, skewness, kurtosis, autocorrelation };
}

/** Judges a trial by its own daily returns. */
export function judgeAlone(trial: RankedTrial): TrialAlone {
  const { id, parameters, from, to, moments } = trial;
  const sample = sampleOf(trial);
  return {
    id,
    parameters,
    from,
    to,
    sharpe: ofYear(trial.sharpe),
    moments,
    psr: {
      edition2012: orNull(probabilisticSharpe2012(sample)),
      edition2026: orNull(probabilisticSharpe2026(sample)),
    },
    minimumDays: {
      edition2012: orNull(minimumTrackRecord2012(sample)),
      edition2026: orNull(minimumTrackRecord2026(sample)),
    },
  };
}

/** A figure, or null if the sample cannot support it. */
export function orNull(figure: number): number | null {
  return Number.isFinite(figure) ? figure : null;
}
