import { Decimal, MINUTE_MS } from '../../src/domain/index.js';
import type { VenueCandle } from './spot-venue.js';

/** A third of a minute: at every millisecond the path is a whole number of ticks ÷ THIRD. */
export const THIRD = MINUTE_MS / 3;

/** DESIGN R3 in other words: the extreme nearer the open first; on a tie, low first if close ≥ open. */
export function isHighNearer({ path: [open, high, low, close] }: VenueCandle): boolean {
  const [up, down] = [ticks(high) - ticks(open), ticks(open) - ticks(low)];
  return up === down ? close < open : up < down;
}

/** Where the path of a minute is so many ms after its open, in ticks × THIRD. */
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

/** Parts of a millisecond in which naive venues look for where a level is reached. */
export const PARTS = 2n ** 80n;

/** After how many parts of a millisecond something is so: halved until it is known. It is so after all, and was not after none. */
export function firstPart(isSo: (part: bigint) => boolean): bigint {
  let [before, after] = [0n, PARTS];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    if (isSo(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** A price so many parts after one and before the next, a millisecond later; both in ticks × {@link THIRD}. */
export function priceWithin(from: number, to: number, part: bigint): Decimal {
  const parts = BigInt(from) * PARTS + BigInt(to - from) * part;
  return new Decimal(String(parts)).div(THIRD * 100).div(String(PARTS));
}

/** What is traded at a level: rounding to the tick of 0.01 must not lead past one that lies on it. */
export function atLevel(price: Decimal): Decimal {
  return price.toDecimalPlaces(8, Decimal.ROUND_HALF_EVEN);
}
