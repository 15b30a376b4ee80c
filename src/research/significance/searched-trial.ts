import { DAY_MS, type EpochMs } from '../../domain/index.js';
import type { TrialRecord } from '../ledger/trial-record.js';
import { momentsOf, sharpeOf, type ReturnMoments } from '../statistics/moments.js';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import type { FinishedTrial } from '../trials/trial-schema.js';

/** Fewer daily returns carry no Sharpe ratio, as in a result. */
export const LEAST_DAYS = 30;

/** One trial of a search, as far as a judgment needs it. */
export interface SearchedTrial {
  readonly id: string;
  readonly parameters: TrialRecord['parameters'];
  /** Of its daily returns. */
  readonly moments: ReturnMoments;
  /** Mean ÷ deviation of its daily returns, of one day; undefined with fewer than {@link LEAST_DAYS}, or where all are equal. */
  readonly sharpe: number | undefined;
  /** End of its first whole UTC day. */
  readonly from: EpochMs;
  /** End of its last one. */
  readonly to: EpochMs;
  /** Its daily returns, or where they are kept beside the ledger; undefined where they are not. */
  readonly returns: number | Float64Array | undefined;
}

/** The trial of a ledger's line; undefined where it came to nothing, or had no daily returns. */
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

/** The trial whose daily returns are at hand; undefined with fewer than two. */
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
