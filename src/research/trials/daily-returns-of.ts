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
  /** End of the first of these days. */
  readonly from: EpochMs;
  /** 0.01 for 1 %, at least one. */
  readonly values: Float64Array;
}

/**
 * Daily returns of a run as its statistics have them: each between neighboring midnights, divided exactly and then rounded. Undefined without
 * a whole day, or where an equity that would be a divisor is not above 0.
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
