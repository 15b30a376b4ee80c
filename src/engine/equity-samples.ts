import { DAY_MS, fixedToNumber } from '../domain/index.js';
import type { CandleBatch } from './market/candle-batch.js';
import type { Portfolio } from './portfolio/portfolio.js';
import type { Protections } from './protections.js';

/** As a ratio of its parts: far more than the computation of equity in floats loses. */
const LOST = 1e-9;

/** Finds the slices whose equity has to be sampled for the protections. Samples between them would change nothing. */
export class EquitySamples {
  readonly #portfolio: Pick<Portfolio, 'numbers' | 'equity'>;
  readonly #protections: Pick<Protections, 'state' | 'equityBounds'>;

  constructor(
    portfolio: Pick<Portfolio, 'numbers' | 'equity'>,
    protections: Pick<Protections, 'state' | 'equityBounds'>,
  ) {
    this.#portfolio = portfolio;
    this.#protections = protections;
  }

  /**
   * Number of slices of a batch, at least one, after which equity has to be sampled: up to the first whose sample may matter, and to the last of the day.
   * Positions must not change before.
   */
  slicesUntil(batch: CandleBatch): number {
    const { equityBounds: bounds, state } = this.#protections;
    const [only] = batch.streams;
    const dayEnd = state.dayStart + DAY_MS;
    if (only === undefined || bounds === undefined || batch.time >= dayEnd) return 1;
    const most = Math.min(batch.count, Math.ceil((dayEnd - batch.time) / batch.stepMs));
    const equity = this.#portfolio.numbers.onlyPricedBy(only.route.account);
    if (equity === undefined) return 1;
    const { unpriced, sign, quantity, entry, isByMark } = equity;
    // The first sample after a booking counts; without a position the others are equal to it.
    if (quantity === 0) return this.#portfolio.equity() === state.equity ? most : 1;
    const { closes, firstClose, marks, firstMark } = only;
    // A mark that comes with a slice takes the place of the last price.
    if (batch.streams.length > 1 || (marks !== undefined) !== isByMark) return 1;
    const prices = marks ?? closes;
    const first = marks === undefined ? firstClose : firstMark;
    const low = bounds.low === undefined ? Number.NEGATIVE_INFINITY : fixedToNumber(bounds.low);
    const high = fixedToNumber(bounds.high);
    for (let index = 0; index < most; index += 1) {
      const value = quantity * (prices[first + index] as number);
      const sum = unpriced + sign * (value - entry);
      const lost = LOST * (Math.abs(unpriced) + Math.abs(value) + Math.abs(entry));
      // Also if a price is not a number.
      if (!(sum - lost > low && sum + lost < high)) return index + 1;
    }
    return most;
  }
}
