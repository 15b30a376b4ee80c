import { DAY_MS, fixedToNumber } from '../domain/index.js';
import type { CandleBatch } from './market/candle-batch.js';
import type { EquityLine } from './portfolio/equity-numbers.js';
import type { Portfolio } from './portfolio/portfolio.js';
import type { Protections } from './protections.js';

/** As a ratio of its parts: far more than the computation of equity in floats loses. */
const LOST = 1e-9;
/** Most slices to look at in advance: an order ends a batch early, and what was found no longer holds. */
const MOST = 64;

/** A part of equity that follows the prices of a batch, from `first` on. */
interface FollowedLine extends Pick<EquityLine, 'sign' | 'quantity' | 'entry'> {
  readonly prices: Float64Array;
  readonly first: number;
}

/** Equity during a batch: lines that follow its prices, the sum of all else, and how large the parts of that sum are. */
interface EquityOfBatch {
  readonly lines: readonly FollowedLine[];
  readonly rest: number;
  readonly size: number;
}

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
    const dayEnd = state.dayStart + DAY_MS;
    if (bounds === undefined || batch.time >= dayEnd) return 1;
    const ofDay = Math.ceil((dayEnd - batch.time) / batch.stepMs);
    const most = Math.min(batch.count, ofDay, MOST);
    const equity = this.#equityOf(batch);
    if (equity === undefined) return 1;
    // The first sample after a booking counts; without a price to follow, the others are equal to it.
    if (equity.lines.length === 0) return this.#portfolio.equity() === state.equity ? most : 1;
    const low = bounds.low === undefined ? Number.NEGATIVE_INFINITY : fixedToNumber(bounds.low);
    const high = fixedToNumber(bounds.high);
    for (let index = 0; index < most; index += 1)
      if (!staysBetween(equity, index, { low, high })) return index + 1;
    return most;
  }

  /** Undefined if equity does not follow its prices in lines, or if a mark may take the place of a last price. */
  #equityOf({ streams }: CandleBatch): EquityOfBatch | undefined {
    const equity = this.#portfolio.numbers.lines();
    if (equity === undefined) return undefined;
    let rest = equity.unpriced;
    let size = Math.abs(rest);
    const lines: FollowedLine[] = [];
    for (const { account, sign, quantity, entry, isByMark, isContract } of equity.lines) {
      const stream = streams.find(({ route }) => route.account === account);
      if (stream === undefined) {
        const value = quantity * (isByMark ? account.markNumber : account.lastNumber);
        rest += sign * (value - entry);
        size += Math.abs(value) + Math.abs(entry);
        continue;
      }
      const { closes, firstClose, marks, firstMark } = stream;
      if (isContract && (marks !== undefined) !== isByMark) return undefined;
      const ofStream =
        isContract && marks !== undefined
          ? { prices: marks, first: firstMark }
          : { prices: closes, first: firstClose };
      lines.push({ sign, quantity, entry, ...ofStream });
    }
    return { lines, rest, size };
  }
}

/** Whether equity after a slice certainly lies between two bounds. False if a price is not a number. */
function staysBetween(
  { lines, rest, size }: EquityOfBatch,
  index: number,
  { low, high }: { readonly low: number; readonly high: number },
): boolean {
  let sum = rest;
  let parts = size;
  for (const { sign, quantity, entry, prices, first } of lines) {
    const value = quantity * (prices[first + index] as number);
    sum += sign * (value - entry);
    parts += Math.abs(value) + Math.abs(entry);
  }
  const lost = LOST * parts;
  return sum - lost > low && sum + lost < high;
}
