import type { InstrumentId } from '../instruments/instrument.js';
import type { EpochMs } from '../time.js';

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

/** Returns when funding of a contract is settled around a time; undefined if it is not known. */
export type FundingTimesAt = (
  instrumentId: InstrumentId,
  time: EpochMs,
) => FundingTimes | undefined;

/**
 * Which funding rate a venue shows (DESIGN R11). `current`: the rate of the current period, which is paid at its end. `settled`: the rate that
 * was paid last, if the venue only estimates the current one.
 */
export const FUNDING_RATES_KNOWN = ['current', 'settled'] as const;
export type FundingRateKnown = (typeof FUNDING_RATES_KNOWN)[number];
