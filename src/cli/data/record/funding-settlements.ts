import {
  MINUTE_MS,
  type EpochMs,
  type Fixed,
  type FundingRateKnown,
} from '../../../domain/index.js';

export interface FundingSettlementsOptions {
  /** From one settlement to the next, from 00:00 UTC, in ms. */
  readonly intervalMs: number;
  /** Which rate the venue shows. */
  readonly known: FundingRateKnown;
  /** The last settlement that is known already. @defaultValue none is */
  readonly after: EpochMs | undefined;
}

/** What is known of the boundaries since the last reading. */
export interface Settled {
  /** The boundary that has passed, with what was paid. */
  readonly paid?: { readonly time: EpochMs; readonly rate: Fixed };
  /** First and last boundary of which nobody read the rate. */
  readonly missed?: { readonly from: EpochMs; readonly to: EpochMs };
}

/** Before a boundary the rate of the period changes: one that was read earlier than this is not what was paid. */
const FRESH_MS = 5 * MINUTE_MS;
/** A venue may be late to show what was settled. */
const LATE_MS = MINUTE_MS;

/**
 * Makes settled rates of rates that are shown: of the period now running (`current`) the last one before its end, of the one settled last
 * (`settled`) the first one a minute after it. Pure but for what was read last.
 */
export class FundingSettlements {
  readonly #options: FundingSettlementsOptions;
  #settled: EpochMs | undefined;
  #last: ShownRate | undefined;

  constructor(options: FundingSettlementsOptions) {
    this.#options = options;
    this.#settled = options.after;
  }

  /** Takes a rate that was shown at `time`. */
  take(time: EpochMs, rate: Fixed | undefined): Settled {
    const { intervalMs, known } = this.#options;
    const last = this.#last;
    this.#last = { time, rate };
    const boundary = Math.floor(time / intervalMs) * intervalMs;
    if (known === 'settled' && time < boundary + LATE_MS) return {};
    // Without anything before, what was paid before this session is not asked for.
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

/** The rate of a period, as it was shown right before its end. */
function shownBefore(boundary: EpochMs, last: ShownRate | undefined): Fixed | undefined {
  const isOfPeriod = last !== undefined && last.time < boundary && last.time >= boundary - FRESH_MS;
  return isOfPeriod ? last.rate : undefined;
}
