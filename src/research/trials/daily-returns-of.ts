import {
  DAY_MS,
  divideFixed,
  fixedToNumber,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import type { RunRecord } from '../../report/index.js';

/** Returns of the whole UTC days of a run, one after the other. */
export interface DailyReturns {
  /** End of the first day. */
  readonly from: EpochMs;
  /** 0.01 for 1 %. At least one value. */
  readonly values: Float64Array;
}

/**
 * Daily returns of a run by the formula of its statistics: between neighboring midnights, divided exactly and then rounded. Undefined without a whole day, or
 * if an equity to divide by is not above 0.
 */
export function dailyReturnsOf({
  run,
  initialEquity,
  dayEquity,
}: Pick<RunRecord, 'run' | 'initialEquity' | 'dayEquity'>): DailyReturns | undefined {
  const times = [run.from, ...dayEquity.time];
  const equities = [initialEquity, ...dayEquity.equity];
  const values: number[] = [];
  let from: EpochMs | undefined;
  let before: Fixed | undefined;
  for (const [index, time] of times.entries()) {
    const equity = equities[index];
    if (time % DAY_MS !== 0 || equity === undefined) continue;
    if (before !== undefined) {
      if (before <= 0n) return undefined;
      from ??= time;
      values.push(fixedToNumber(divideFixed(equity - before, before)));
    }
    before = equity;
  }
  return from === undefined ? undefined : { from, values: Float64Array.from(values) };
}
