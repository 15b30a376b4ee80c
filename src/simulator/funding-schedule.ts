import {
  DAY_MS,
  fixedFromNumber,
  present,
  type EpochMs,
  type Fixed,
  type FundingColumns,
} from '../domain/index.js';

/** How a contract is funded. */
export interface FundingSource {
  /** Settled rates with their boundaries. */
  readonly stored?: FundingColumns | undefined;
  /** What is settled before the first stored rate and after the last: at multiples of the interval from 00:00 UTC. @defaultValue nothing */
  readonly constant?: { readonly rate: Fixed; readonly intervalMs: number } | undefined;
}

/** Decimals of a rate; a hint that makes conversions fast. */
const RATE_DECIMALS = 8;

const NO_RATES: FundingColumns = { time: new Float64Array(), rate: new Float64Array() };

/** When a contract settles its funding, and at what rate (DESIGN R11). */
export class FundingSchedule {
  readonly #stored: FundingColumns | undefined;
  readonly #constant: FundingSource['constant'];
  /** Row of the first stored boundary that was not asked past. */
  #row = 0;

  constructor({ stored, constant }: FundingSource) {
    this.#stored = stored !== undefined && stored.time.length > 0 ? stored : undefined;
    this.#constant = constant;
  }

  /** First boundary after `time`; Infinity when there is none. Ask in rising order: what lies behind is forgotten. */
  nextAfter(time: EpochMs): EpochMs {
    const regular = this.#regularAfter(time);
    if (this.#stored === undefined) return regular;
    const times = this.#stored.time;
    while ((times[this.#row] ?? Number.POSITIVE_INFINITY) <= time) this.#row += 1;
    const next = times[this.#row];
    if (next === undefined) return regular;
    return this.#row === 0 ? Math.min(regular, next) : next;
  }

  /** Rate of the period that ends at the boundary that was asked for last, or the one before it. */
  rateAt(boundary: EpochMs): Fixed {
    const { time, rate } = this.#stored ?? NO_RATES;
    const row = [this.#row, this.#row - 1].find((candidate) => time[candidate] === boundary);
    return row === undefined
      ? present(this.#constant, 'a constant funding rate').rate
      : fixedFromNumber(present(rate[row], 'a stored rate'), RATE_DECIMALS);
  }

  #regularAfter(time: EpochMs): EpochMs {
    if (this.#constant === undefined) return Number.POSITIVE_INFINITY;
    const { intervalMs } = this.#constant;
    const day = Math.floor(time / DAY_MS) * DAY_MS;
    return day + (Math.floor((time - day) / intervalMs) + 1) * intervalMs;
  }
}
