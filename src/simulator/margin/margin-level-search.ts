import {
  FIXED_ONE,
  maxFixed,
  minFixed,
  type Asset,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import { atMillisecond, PARTS_OF_MS, type Crossing } from '../path/candle-path.js';
import { MOST_HOPS, priceOfPair, priceOver, type Route } from './margin-prices.js';

/** An amount of an asset, owned less `level` × owed, in units of 10^-36. The prices of the pairs on the route, multiplied, value it. */
export interface WeighedRoute {
  readonly asset: Asset;
  readonly weight: bigint;
  /** Undefined if no pairs lead to the currency. */
  readonly route: Route | undefined;
}

/** The prices of a pair at the beginning and at the end of a span. */
type Ends = readonly [from: Fixed, to: Fixed];

const STILL: Ends = [FIXED_ONE, FIXED_ONE];

/** Whether the assets are worth no more than the watched level demands: the sum of weight × price is not above 0. */
export function isShortAt(assets: readonly WeighedRoute[], at: Crossing): boolean {
  let sum = 0n;
  for (const { weight, route } of assets) sum += weight * priceOver(route, at);
  return sum <= 0n;
}

/** A time without corners of the paths, but for its ends. */
interface LevelSpan {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Whether a path of finer candles jumps at `to`. */
  readonly jumps: boolean;
}

/**
 * The first crossing after `from` at which the assets are {@link isShortAt | short}; undefined if there is none by `to`. At `from` they are not short.
 *
 * If each asset has a pair to the currency, the sum is linear in time, and its ends tell whether it passes 0. Over two or three pairs it is a
 * polynomial that may dip below 0 between two ends above 0. Then each span is halved that is not proved to stay above 0.
 */
export function firstShort(assets: readonly WeighedRoute[], span: LevelSpan): Crossing | undefined {
  const isLinear = assets.every(({ route }) => route === undefined || route.length < 2);
  const time = isLinear ? firstOnLine(assets, span) : firstOnCurve(assets, span);
  return time === undefined ? undefined : within(assets, time);
}

function firstOnLine(assets: readonly WeighedRoute[], span: LevelSpan): EpochMs | undefined {
  if (!isShortAtEnd(assets, span)) return undefined;
  let [low, high] = [span.from, span.to];
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (isShortAt(assets, atMillisecond(middle))) high = middle;
    else low = middle;
  }
  return high;
}

function firstOnCurve(assets: readonly WeighedRoute[], span: LevelSpan): EpochMs | undefined {
  const { from, to } = span;
  if (from >= to) return undefined;
  if (to - from === 1 || isAboveZero(assets, from, to))
    return isShortAtEnd(assets, span) ? to : undefined;
  const middle = from + Math.floor((to - from) / 2);
  return (
    firstOnCurve(assets, { from, to: middle, jumps: false }) ??
    firstOnCurve(assets, { ...span, from: middle })
  );
}

/** Whether the assets are short at the end of a span: where a path jumps there, before the jump or after it. */
function isShortAtEnd(assets: readonly WeighedRoute[], { to, jumps }: LevelSpan): boolean {
  return isShortAt(assets, atMillisecond(to)) || (jumps && isShortAt(assets, justBefore(to)));
}

/** So close to a millisecond that the price, rounded to 18 decimals, is that of the path up to it. */
function justBefore(time: EpochMs): Crossing {
  return { time, part: PARTS_OF_MS - 1n };
}

/**
 * Whether it is proved that the sum stays above 0 within a span. A product of up to three linear prices lies between the least and the largest of four
 * values (its coefficients of Bernstein), of which the first and the last are its ends. So does the sum between the sums of these values.
 */
function isAboveZero(assets: readonly WeighedRoute[], from: EpochMs, to: EpochMs): boolean {
  const [start, end] = [atMillisecond(from), justBefore(to)];
  const sums = [0n, 0n, 0n, 0n];
  let rounding = 0n;
  for (const { weight, route } of assets) {
    const pairs: Ends[] = (route ?? []).map((market) => [
      priceOfPair(market, start),
      priceOfPair(market, end),
    ]);
    if (route === undefined) pairs.push([priceOver(route, start), priceOver(route, end)]);
    while (pairs.length < MOST_HOPS) pairs.push(STILL);
    for (const [index, value] of bernstein(pairs).entries())
      sums[index] = (sums[index] ?? 0n) + weight * value;
    // Each price is rounded, at both ends and in between, and so is each product.
    let most = 6n;
    for (const [a, b] of pairs) most *= FIXED_ONE + maxFixed(a, b);
    rounding += ((weight < 0n ? -weight : weight) * most) / FIXED_ONE + 1n;
  }
  return sums.reduce(minFixed) > rounding;
}

/** The four coefficients of a product of three linear prices, times 3. */
function bernstein(pairs: readonly Ends[]): readonly [bigint, bigint, bigint, bigint] {
  const [[a, x] = STILL, [b, y] = STILL, [c, z] = STILL] = pairs;
  return [
    3n * a * b * c,
    x * b * c + a * y * c + a * b * z,
    a * y * z + x * b * z + x * y * c,
    3n * x * y * z,
  ];
}

/** The first part of the millisecond that ends at `time` at which the assets are short. */
function within(assets: readonly WeighedRoute[], time: EpochMs): Crossing {
  let [enough, short] = [0n, PARTS_OF_MS];
  while (short - enough > 1n) {
    const middle = (enough + short) / 2n;
    if (isShortAt(assets, { time, part: middle })) short = middle;
    else enough = middle;
  }
  return { time, part: short };
}
