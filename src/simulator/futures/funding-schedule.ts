import {
  DAY_MS,
  fixedFromNumber,
  present,
  type EpochMs,
  type Fixed,
  type FundingColumns,
  type FundingRateKnown,
  type FundingTimes,
} from '../../domain/index.js';

/** How a contract is funded. */
export interface ContractFunding {
  /** Settled rates with the times of their settlement (boundaries). */
  readonly stored?: FundingColumns | undefined;
  /** Funding before the first stored rate and after the last, settled at multiples of the interval from 00:00 UTC. @defaultValue no funding */
  readonly constant?: { readonly rate: Fixed; readonly intervalMs: number } | undefined;
}

/** Decimals of a rate; a hint that makes conversions fast. */
const RATE_DECIMALS = 8;

const NO_RATES: FundingColumns = { time: new Float64Array(), rate: new Float64Array() };

/**
 * When a contract settles its funding, at what rate, and which rate is shown in between (DESIGN R11). Payments, views and queries all use this
 * definition. Results depend on the instant alone.
 */
export class FundingSchedule {
  readonly #stored: FundingColumns;
  readonly #constant: ContractFunding['constant'];

  constructor({ stored = NO_RATES, constant }: ContractFunding) {
    this.#stored = stored;
    this.#constant = constant;
  }

  /** The boundaries around an instant: the last at or before it (-Infinity if there is none), the first after it (Infinity if there is none). */
  around(time: EpochMs): FundingTimes {
    const { time: times } = this.#stored;
    const row = countUntil(times, time);
    const { previous, next } = this.#regularAround(time);
    const before = times[row - 1] ?? Number.NEGATIVE_INFINITY;
    const after = times[row] ?? Number.POSITIVE_INFINITY;
    // Between stored boundaries the constant interval adds none.
    const isBeforeList = row === 0;
    const isAfterList = row === times.length;
    return {
      previous: isBeforeList || isAfterList ? Math.max(before, previous) : before,
      next: isBeforeList || isAfterList ? Math.min(after, next) : after,
    };
  }

  /** First boundary after `time`; Infinity when there is none. */
  nextAfter(time: EpochMs): EpochMs {
    return this.around(time).next;
  }

  /** Rate of the period that ends at a boundary. */
  rateAt(boundary: EpochMs): Fixed {
    const { time, rate } = this.#stored;
    const row = countUntil(time, boundary) - 1;
    return time[row] === boundary
      ? fixedFromNumber(present(rate[row], 'a stored rate'), RATE_DECIMALS)
      : present(this.#constant, 'a constant funding rate').rate;
  }

  /**
   * The rate that is shown at an instant. A payment that is due at the instant counts as made. If there is no next (or previous) boundary, this is
   * the constant rate, or undefined without one.
   */
  shownAt(time: EpochMs, known: FundingRateKnown): Fixed | undefined {
    const { previous, next } = this.around(time);
    const boundary = known === 'current' ? next : previous;
    return Number.isFinite(boundary) ? this.rateAt(boundary) : this.#constant?.rate;
  }

  #regularAround(time: EpochMs): FundingTimes {
    if (this.#constant === undefined)
      return { previous: Number.NEGATIVE_INFINITY, next: Number.POSITIVE_INFINITY };
    const { intervalMs } = this.#constant;
    const day = Math.floor(time / DAY_MS) * DAY_MS;
    const previous = day + Math.floor((time - day) / intervalMs) * intervalMs;
    return { previous, next: previous + intervalMs };
  }
}

/** Number of rising times at or before `time`. */
function countUntil(times: Float64Array, time: EpochMs): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
