import type { InstrumentId } from './instrument.js';
import type { EpochMs } from './time.js';

/**
 * Settled funding of one contract, oldest first, columns of equal length. `time`: the boundary in epoch ms, on the minute; `rate`: a
 * ratio per period, longs pay shorts when positive.
 */
export interface FundingColumns {
  readonly time: Float64Array;
  readonly rate: Float64Array;
}

/** When funding is settled around an instant: the last time at or before it, and the next after it. */
export interface FundingTimes {
  readonly previous: EpochMs;
  readonly next: EpochMs;
}

/** Says when funding of a contract is settled; undefined where that is not known. */
export type FundingSchedule = (
  instrumentId: InstrumentId,
  time: EpochMs,
) => FundingTimes | undefined;

/** A schedule that settles every contract each `intervalMs`, counted from 00:00 UTC: 8 hours on most venues. */
export function createFundingSchedule(intervalMs: number): FundingSchedule {
  return (_instrumentId, time) => {
    const previous = Math.floor(time / intervalMs) * intervalMs;
    return { previous, next: previous + intervalMs };
  };
}
