import {
  divideCeil,
  divideHalfEven,
  isOnStep,
  present,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';

/** Parts of a millisecond in a {@link Crossing}. So many that a path meets a price of 18 decimals exactly. */
export const PARTS_OF_MS = 1n << 80n;

/** When a path reaches a level: `part` of {@link PARTS_OF_MS} after the millisecond before `time`. All parts mean `time` itself. */
export interface Crossing {
  /** The first whole millisecond at or after the crossing. */
  readonly time: EpochMs;
  /** From 1 to {@link PARTS_OF_MS}. */
  readonly part: bigint;
}

/** The crossing at a whole millisecond. */
export function atMillisecond(time: EpochMs): Crossing {
  return { time, part: PARTS_OF_MS };
}

/** Which extreme a candle visits first (DESIGN R3). */
export type ExtremeOrder = 'high-first' | 'low-first';

export interface PathCandle {
  readonly openTime: EpochMs;
  readonly closeTime: EpochMs;
  readonly open: Fixed;
  readonly high: Fixed;
  readonly low: Fixed;
  readonly close: Fixed;
}

/** One straight piece of a path; times are exact thirds of the interval, which is a whole number of ms for every interval. */
export interface PathSegment {
  readonly fromTime: EpochMs;
  readonly toTime: EpochMs;
  readonly from: Fixed;
  readonly to: Fixed;
}

/** The extreme nearer the open comes first; on a tie, low first if close ≥ open. */
export function nearestOrder({ open, high, low, close }: PathCandle): ExtremeOrder {
  const up = high - open;
  const down = open - low;
  if (up === down) return close >= open ? 'low-first' : 'high-first';
  return up < down ? 'high-first' : 'low-first';
}

/** Open at 0, first extreme at 1/3, second at 2/3, close at 1 of the candle, straight between. */
export function segmentsByThirds(shape: PathCandle, order: ExtremeOrder): readonly PathSegment[] {
  const third = (shape.closeTime - shape.openTime) / 3;
  const firstTime = shape.openTime + third;
  const secondTime = shape.openTime + 2 * third;
  return order === 'high-first'
    ? segmentsThrough(shape, { highTime: firstTime, lowTime: secondTime })
    : segmentsThrough(shape, { highTime: secondTime, lowTime: firstTime });
}

/** Goes from the open to both extremes, each at its time, and to the close. The times differ and lie within the candle, ends included. */
export function segmentsThrough(
  { openTime, closeTime, open, high, low, close }: PathCandle,
  { highTime, lowTime }: { readonly highTime: EpochMs; readonly lowTime: EpochMs },
): readonly PathSegment[] {
  const isHighFirst = highTime < lowTime;
  const [first, second] = isHighFirst ? [high, low] : [low, high];
  const [firstTime, secondTime] = isHighFirst ? [highTime, lowTime] : [lowTime, highTime];
  return [
    { fromTime: openTime, toTime: firstTime, from: open, to: first },
    { fromTime: firstTime, toTime: secondTime, from: first, to: second },
    { fromTime: secondTime, toTime: closeTime, from: second, to: close },
  ];
}

/** The path of one candle: straight pieces, one after another, from its open to its close. */
export class CandlePath {
  readonly shape: PathCandle;
  /** Which extreme comes first by the candle's own numbers. A path of stored finer candles may visit them in the other order. */
  readonly order: ExtremeOrder;
  /** In order of time, without a gap in time. On a path of finer candles, a segment may begin at another price than the last one ended. */
  readonly segments: readonly PathSegment[];

  constructor(
    shape: PathCandle,
    order: ExtremeOrder,
    segments: readonly PathSegment[] = segmentsByThirds(shape, order),
  ) {
    this.shape = shape;
    this.order = order;
    this.segments = segments;
  }

  /** Price at an instant of the candle, as an exact fraction. If the path jumps at that instant, this is the price after the jump. */
  at(time: EpochMs): PathPrice {
    const segment = this.segments.find(({ toTime }) => time < toTime) ?? this.segments.at(-1);
    return priceOn(present(segment, 'a path has pieces'), time);
  }

  /** As {@link at}, but if the path jumps at that instant, this is the price before the jump. */
  before(time: EpochMs): PathPrice {
    const segment = this.segments.find(({ toTime }) => time <= toTime) ?? this.segments.at(-1);
    return priceOn(present(segment, 'a path has pieces'), time);
  }

  /** Prices between which the path stays from an instant on: the price at that instant, and every corner after it. */
  cornersFrom(time: EpochMs): readonly PathPrice[] {
    const corners = [this.at(time)];
    for (const { fromTime, from, toTime, to } of this.segments) {
      if (fromTime > time) corners.push({ numerator: from, denominator: 1n });
      if (toTime > time) corners.push({ numerator: to, denominator: 1n });
    }
    return corners;
  }

  /**
   * First whole millisecond, not before `from`, at which the path is at or beyond `level`: at or below it for `below`, at or above it
   * for `above`. Undefined when that never happens in the candle.
   */
  firstReach(level: Fixed, side: 'below' | 'above', from: EpochMs): EpochMs | undefined {
    const isBeyond =
      side === 'below' ? (price: Fixed) => price <= level : (price: Fixed) => price >= level;
    for (const segment of this.segments) {
      if (segment.toTime < from) continue;
      if (isBeyond(segment.from) && segment.fromTime >= from) return segment.fromTime;
      const reached = crossing(segment, level, isBeyond);
      if (reached === undefined) continue;
      const time = Math.max(reached, from);
      // The segment is straight: once the path is beyond the level, it stays there until the segment ends.
      if (time <= segment.toTime && isAtOrBeyond(priceOn(segment, time), level, side)) return time;
    }
    return undefined;
  }
}

/** First whole millisecond of the segment at which the path has reached the level; undefined if it does not. */
function crossing(
  segment: PathSegment,
  level: Fixed,
  isBeyond: (price: Fixed) => boolean,
): EpochMs | undefined {
  const { from, to, fromTime, toTime } = segment;
  if (isBeyond(from)) return fromTime;
  if (!isBeyond(to)) return undefined;
  return fromTime + Number(divideCeil((level - from) * BigInt(toTime - fromTime), to - from));
}

/** An exact price `numerator / denominator`, in 10^-18 quote. */
export interface PathPrice {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

function priceOn({ fromTime, toTime, from, to }: PathSegment, time: EpochMs): PathPrice {
  if (time >= toTime) return { numerator: to, denominator: 1n };
  if (time <= fromTime) return { numerator: from, denominator: 1n };
  const denominator = BigInt(toTime - fromTime);
  return { numerator: from * denominator + (to - from) * BigInt(time - fromTime), denominator };
}

/** The price at `part` of {@link PARTS_OF_MS} between two prices a millisecond apart. Rounded once to 18 decimals, half to even. */
export function priceBetween(from: PathPrice, to: PathPrice, part: bigint): Fixed {
  const start = from.numerator * to.denominator;
  const move = to.numerator * from.denominator - start;
  return divideHalfEven(
    start * PARTS_OF_MS + move * part,
    from.denominator * to.denominator * PARTS_OF_MS,
  );
}

/** Whether a price is at or below (`below`), or at or above, a level. */
export function isAtOrBeyond(
  { numerator, denominator }: PathPrice,
  level: Fixed,
  side: 'below' | 'above',
): boolean {
  return side === 'below' ? numerator <= level * denominator : numerator >= level * denominator;
}

/** The last price as the venue would publish it: on the tick grid, nearest, ties to even. */
export function publishedPrice(price: PathPrice, tick: Fixed): Fixed {
  const { numerator, denominator } = price;
  if (isOnTick(price, tick)) return numerator;
  return divideHalfEven(numerator, denominator * tick) * tick;
}

/** Whether no rounding is needed. Most queries are about a stored price, which is on the tick. */
function isOnTick({ numerator, denominator }: PathPrice, tick: Fixed): boolean {
  return denominator === 1n && isOnStep(numerator, tick);
}
