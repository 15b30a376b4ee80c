import {
  MINUTE_MS,
  type EpochMs,
  type Fixed,
  type FundingRateKnown,
} from '../../../domain/index.js';

interface FundingSettlementsOptions {
  /** Time between two settlements, counted from 00:00 UTC; in ms. */
  readonly intervalMs: number;
  /** Which rate the venue shows. */
  readonly known: FundingRateKnown;
  /** The last settlement that is stored already. @defaultValue none */
  readonly after: EpochMs | undefined;
}

/** Settlements since the last reading. */
export interface Settled {
  /** The last settlement, with the paid rate. */
  readonly paid?: { readonly time: EpochMs; readonly rate: Fixed };
  /** First and last settlement whose rate was not read. */
  readonly missed?: { readonly from: EpochMs; readonly to: EpochMs };
}

/** The rate of a period changes until its end: a rate that was read earlier than this before the end is not the paid one. */
const FRESH_MS = 5 * MINUTE_MS;
/** A venue may show a settled rate this much late. */
const LATE_MS = MINUTE_MS;

/**
 * Derives settled rates from shown rates. If the venue shows the rate of the running period (`current`), it is the last one before the period's end. If it
 * shows the rate settled last (`settled`), it is the first one a minute after the settlement. Pure except for the last reading.
 */
export class FundingSettlements {
  readonly #options: FundingSettlementsOptions;
  #settled: EpochMs | undefined;
  #last: ShownRate | undefined;

  constructor(options: FundingSettlementsOptions) {
    this.#options = options;
    this.#settled = options.after;
  }

  /** Takes a rate that the venue showed at `time`. */
  take(time: EpochMs, rate: Fixed | undefined): Settled {
    const { intervalMs, known } = this.#options;
    const last = this.#last;
    this.#last = { time, rate };
    const boundary = Math.floor(time / intervalMs) * intervalMs;
    if (known === 'settled' && time < boundary + LATE_MS) return {};
    // Without a stored settlement, start with the last boundary if its rate is shown, otherwise with the next one.
    const since = this.#settled ?? (known === 'settled' ? boundary - intervalMs : boundary);
    this.#settled = Math.max(since, boundary);
    const first = (Math.floor(since / intervalMs) + 1) * intervalMs;
    if (first > boundary) return {};
    const paid = known === 'settled' ? rate : shownBefore(boundary, last);
    const to = paid === undefined ? boundary : boundary - intervalMs;
    return {
      ...(paid !== undefined && { paid: { time: boundary, rate: paid } }),
      ...(first <= to && { missed: { from: first, to } }),
    };
  }
}

interface ShownRate {
  readonly time: EpochMs;
  readonly rate: Fixed | undefined;
}

/** The rate of a period, as it was shown shortly before its end; undefined if it was not read then. */
function shownBefore(boundary: EpochMs, last: ShownRate | undefined): Fixed | undefined {
  const isOfPeriod = last !== undefined && last.time < boundary && last.time >= boundary - FRESH_MS;
  return isOfPeriod ? last.rate : undefined;
}
