import { DAY_MS, DataError, present } from '../../domain/index.js';
import { commonDays, hasDays, type CommonDays } from '../significance/common-days.js';
import { LEAST_DAYS, trialOfReturns } from '../significance/searched-trial.js';
import type { TrialReturns } from '../statistics/trial-returns.js';
import type { SweepPlan } from '../sweep.js';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import type { TrialOutcome } from '../trials/trial-schema.js';

/** Daily returns of trials over their common days. */
export interface TrialTable extends TrialReturns, CommonDays {
  /** Index of the combination of each column. */
  readonly places: readonly number[];
  /** Trials that failed. */
  readonly failed: number;
  /** Trials that finished without daily returns. */
  readonly withoutReturns: number;
  /** Trials that lack some of the days. */
  readonly otherDays: number;
}

interface TabledTrials {
  readonly plan: Pick<SweepPlan, 'ids' | 'combinations'>;
  /** One per combination. */
  readonly outcomes: readonly TrialOutcome[];
  /** By id. */
  readonly returns: ReadonlyMap<string, DailyReturns>;
}

/**
 * Puts the daily returns of trials side by side, over the days that give the largest table.
 *
 * @throws {DataError} `E_SAMPLE` when no two trials have 30 days in common.
 */
export function tableOfTrials({ plan, outcomes, returns }: TabledTrials): TrialTable {
  const finished = outcomes.flatMap(({ status }, place) => (status === 'finished' ? [place] : []));
  const known = finished.flatMap((place) => {
    const id = present(plan.ids[place], 'id');
    const { parameters } = present(plan.combinations[place], 'combination');
    const daily = returns.get(id);
    const trial = daily && trialOfReturns({ id, parameters }, daily);
    return trial === undefined || daily === undefined ? [] : [{ ...trial, place, daily }];
  });
  const days = commonDays(known);
  if (days === undefined)
    throw new DataError(
      'E_SAMPLE',
      `expected 2 trials with ${String(LEAST_DAYS)} whole days in common, received none among ${String(known.length)} with daily returns of ${String(outcomes.length)}; use a longer range`,
    );
  const covering = known.filter((trial) => hasDays(trial, days));
  return {
    ...days,
    places: covering.map(({ place }) => place),
    columns: covering.map(({ from, daily }) => {
      const first = (days.from - from) / DAY_MS;
      return daily.values.subarray(first, first + days.days);
    }),
    failed: outcomes.length - finished.length,
    withoutReturns: finished.length - known.length,
    otherDays: known.length - covering.length,
  };
}
