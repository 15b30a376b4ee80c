import { Decimal, MINUTE_MS } from '../../../src/domain/index.js';
import type { VenueCandle } from '../spot-venue.js';

/** A third of a minute: at every millisecond the path is a whole number of ticks ÷ THIRD. */
export const THIRD = MINUTE_MS / 3;

/** DESIGN R3 in other words: the extreme nearer the open first; on a tie, low first if close ≥ open. */
export function isHighNearer({ path: [open, high, low, close] }: VenueCandle): boolean {
  const [up, down] = [ticks(high) - ticks(open), ticks(open) - ticks(low)];
  return up === down ? close < open : up < down;
}

/** Position of a minute's path `ms` after its open, in ticks × THIRD. */
export function pathTicks(
  [open, high, low, close]: VenueCandle['path'],
  isHighFirst: boolean,
  ms: number,
): number {
  const corners = (isHighFirst ? [open, high, low, close] : [open, low, high, close]).map(ticks);
  const piece = Math.min(2, Math.floor(ms / THIRD));
  const from = corners[piece] ?? 0;
  return from * THIRD + ((corners[piece + 1] ?? 0) - from) * (ms - piece * THIRD);
}

/** A price of the tests in ticks of 0.01. */
export function ticks(price: number): number {
  return Math.round(price * 100);
}

/** Most that the path of a candle moves in a millisecond, in ticks × {@link THIRD}. */
export function fastest({ path: [, high, low] }: VenueCandle): number {
  return ticks(high) - ticks(low);
}

/** Number of parts of a millisecond in the naive venues' search for the time at which a level is reached. */
export const PARTS = 2n ** 80n;

/** First part of a millisecond after which a condition is true, by bisection. It must be false after no part and true after all. */
export function firstPart(isSo: (part: bigint) => boolean): bigint {
  let [before, after] = [0n, PARTS];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    if (isSo(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** Price after `part` parts between two prices a millisecond apart, both in ticks × {@link THIRD}. */
export function priceWithin(from: number, to: number, part: bigint): Decimal {
  const parts = BigInt(from) * PARTS + BigInt(to - from) * part;
  return new Decimal(String(parts)).div(THIRD * 100).div(String(PARTS));
}

/** Price of a trade at a level. Rounded, so that a level on the tick of 0.01 does not round to the next tick. */
export function atLevel(price: Decimal): Decimal {
  return price.toDecimalPlaces(8, Decimal.ROUND_HALF_EVEN);
}
