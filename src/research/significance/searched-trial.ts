import { DAY_MS, type EpochMs } from '../../domain/index.js';
import type { TrialRecord } from '../ledger/trial-record.js';
import { momentsOf, sharpeOf, type ReturnMoments } from '../statistics/moments.js';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import type { FinishedTrial } from '../trials/trial-schema.js';

/** Fewest daily returns for a Sharpe ratio, as in a result. */
export const LEAST_DAYS = 30;

/** The parts of a trial that a judgment needs. */
export interface SearchedTrial {
  readonly id: string;
  readonly parameters: TrialRecord['parameters'];
  /** Moments of its daily returns. */
  readonly moments: ReturnMoments;
  /** Daily Sharpe ratio: mean ÷ deviation of its daily returns. Undefined with fewer than {@link LEAST_DAYS}, or if all are equal. */
  readonly sharpe: number | undefined;
  /** End of its first whole UTC day. */
  readonly from: EpochMs;
  /** End of its last whole UTC day. */
  readonly to: EpochMs;
  /** Its daily returns, or their place in the file beside the ledger; undefined if they were not kept. */
  readonly returns: number | Float64Array | undefined;
}

/** The trial of a line of a ledger; undefined if it failed, or had no daily returns. */
export function searchedTrial({
  id,
  parameters,
  outcome,
  moments,
  returns,
}: TrialRecord): SearchedTrial | undefined {
  if (outcome.status === 'failed' || moments === undefined) return undefined;
  const from = firstDayEnd(outcome);
  return describe({ id, parameters, moments, from, returns });
}

/** A trial from its daily returns; undefined with fewer than two. */
export function trialOfReturns(
  { id, parameters }: Pick<SearchedTrial, 'id' | 'parameters'>,
  { from, values }: DailyReturns,
): SearchedTrial | undefined {
  const moments = momentsOf(values);
  return moments && describe({ id, parameters, moments, from, returns: values });
}

function describe(trial: Omit<SearchedTrial, 'sharpe' | 'to'>): SearchedTrial {
  const { moments, from } = trial;
  const isKnown = moments.count >= LEAST_DAYS && moments.variance > 0;
  return {
    ...trial,
    sharpe: isKnown ? sharpeOf(moments) : undefined,
    to: from + (moments.count - 1) * DAY_MS,
  };
}

/** The first return of a run is that of its first whole day. */
function firstDayEnd({ from }: FinishedTrial): EpochMs {
  return (Math.ceil(from / DAY_MS) + 1) * DAY_MS;
}
