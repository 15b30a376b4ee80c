import {
  divideHalfEven,
  HOUR_MS,
  nominalIntervalMs,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import type { InstrumentMarket } from '../instrument-market.js';
import { CandleLookup } from './candle-lookup.js';
import {
  CandlePath,
  nearestOrder,
  segmentsThrough,
  type PathCandle,
  type PathPrice,
  type PathSegment,
} from './candle-path.js';

/** Longest interval of mark candles whose path can liquidate (DESIGN R12). */
const COARSEST_MARK_MS = HOUR_MS;

/** Which price liquidates a contract, and how well it is known. */
export interface MarkUse {
  /** `mark`: the path of the mark candles; `last`: the path of the contract's own candles. */
  readonly source: 'mark' | 'last';
  /** Whether mark candles are stored, but are coarser than 1h. They then settle funding only. */
  readonly isTooCoarse: boolean;
  /** Whether mark candles were missing, and the last price replaced them. */
  readonly hasGaps: boolean;
}

/** Whether an instant counts as the end of the time before it, or as the beginning of the time after it. The two differ if a candle opens then. */
export type InstantSide = 'before' | 'after';

/**
 * Mark price of one contract over time (DESIGN R12): the path of the mark candles. Their extremes lie at the same instants as those of the last
 * price. If no mark candle is stored, or they are too coarse, the last price replaces the mark.
 */
export class MarkFeed {
  readonly market: InstrumentMarket;
  readonly #candles: CandleLookup | undefined;
  /** Candles that move the mark; undefined if only the last price does. */
  readonly #moving: CandleLookup | undefined;
  readonly #isTooCoarse: boolean;
  /** Mark candles that close later do not move the mark. */
  readonly #end: EpochMs;
  #path: { readonly row: number; readonly path: CandlePath } | undefined;
  #hasGaps = false;

  constructor(market: InstrumentMarket) {
    const { mark, pricePrecision, span } = market.source;
    this.market = market;
    this.#end = span?.end ?? Number.POSITIVE_INFINITY;
    this.#candles = mark && new CandleLookup(mark, pricePrecision);
    this.#isTooCoarse = mark !== undefined && nominalIntervalMs(mark.interval) > COARSEST_MARK_MS;
    this.#moving = this.#isTooCoarse ? undefined : this.#candles;
  }

  get use(): MarkUse {
    return {
      source: this.#moving === undefined ? 'last' : 'mark',
      isTooCoarse: this.#isTooCoarse,
      hasGaps: this.#hasGaps,
    };
  }

  /** Mark at an instant, not before the open of the market's current candle; rounded to 10^-18. */
  at(time: EpochMs, side: InstantSide): Fixed {
    const row = this.#rowAt(time, side);
    const candles = this.#moving;
    if (candles === undefined || row === undefined) return roundPathPrice(this.#withoutMark(time));
    if (time === candles.openTime(row)) return candles.open(row);
    const path = this.#pathOf(candles, row);
    return roundPathPrice(side === 'before' ? path.before(time) : path.at(time));
  }

  /** If the candles of both mark and last are missing, the mark does not move. If only the mark candle is missing, the last price replaces it. */
  #withoutMark(time: EpochMs): PathPrice {
    const candles = this.#moving;
    if (candles === undefined) return this.market.priceAt(time);
    // A polled mark stays until the next poll.
    let row = candles.rowAt(candles.isPolled ? time : time - 1);
    if (row >= 0 && candles.closeTime(row) > this.#end) row -= 1;
    const hasLast = this.market.isOpen && !this.market.isAfterEnd;
    if ((candles.isPolled || !hasLast) && row >= 0)
      return { numerator: candles.close(row), denominator: 1n };
    this.#hasGaps = true;
    return this.market.priceAt(time);
  }

  /** The price for the funding of a boundary: the open of the mark candle that opens there, otherwise the mark, or the last price (DESIGN R11). */
  atBoundary(time: EpochMs): Fixed {
    const row = this.#candles?.rowOpenAt(time);
    return row !== undefined && this.#candles?.openTime(row) === time
      ? this.#candles.open(row)
      : this.at(time, 'before');
  }

  /** Segments of the path that reach into (from, to), in order of time. */
  segments(from: EpochMs, to: EpochMs): readonly PathSegment[] {
    const found: PathSegment[] = [];
    for (let time = from; time < to;) {
      const row = this.#rowAt(time, 'after');
      const candles = this.#moving;
      const path =
        candles === undefined || row === undefined ? this.#lastPath() : this.#pathOf(candles, row);
      const pieces = path?.segments.filter((one) => one.toTime > time && one.fromTime < to) ?? [];
      found.push(...pieces);
      const end = path?.shape.closeTime ?? to;
      // The last price replaces the mark until the next mark candle opens.
      time = Math.max(time + 1, Math.min(end, row === undefined ? this.#nextOpen(time) : end));
    }
    return found;
  }

  /** Bounds of the mark from the market's cursor to `until`. Never too narrow; wider than needed if the last price may replace the mark. */
  range(until: EpochMs): { readonly low: number; readonly high: number } {
    const { market } = this;
    let { low, high } = market;
    const candles = this.#moving;
    if (candles === undefined) return { low, high };
    const { rows } = candles;
    let row = Math.max(0, candles.rowAt(market.cursor - 1));
    for (; rows.openTime(row) <= until; row += 1) {
      low = Math.min(low, rows.low(row) ?? low);
      high = Math.max(high, rows.high(row) ?? high);
    }
    return { low, high };
  }

  /** Stored candles that may move the mark. The candles of the market may replace mark candles. */
  get sources(): readonly CandleLookup[] {
    return this.#moving === undefined ? [this.market.candles] : [this.market.candles, this.#moving];
  }

  #lastPath(): CandlePath | undefined {
    return this.market.isOpen ? this.market.path() : undefined;
  }

  #nextOpen(time: EpochMs): EpochMs {
    const candles = this.#moving;
    return candles?.rows.openTime(candles.rowAt(time) + 1) ?? Number.POSITIVE_INFINITY;
  }

  /** Row of the open mark candle; undefined if there is none. Also undefined if it closes after the end: then only its open is known. */
  #rowAt(time: EpochMs, side: InstantSide): number | undefined {
    const candles = this.#moving;
    // Times are whole milliseconds: the candle that is open just before `time` is open at `time - 1`.
    const row = candles?.rowOpenAt(side === 'after' ? time : time - 1);
    if (row === undefined || candles === undefined) return undefined;
    return candles.closeTime(row) > this.#end ? undefined : row;
  }

  #pathOf(candles: CandleLookup, row: number): CandlePath {
    if (this.#path?.row !== row) this.#path = { row, path: this.#createPath(candles.shape(row)) };
    return this.#path.path;
  }

  #createPath(shape: PathCandle): CandlePath {
    const { market } = this;
    const covers =
      market.isOpen && market.openTime <= shape.openTime && market.closeTime >= shape.closeTime;
    if (!covers) {
      const extremes = this.#extremesOfLast(shape);
      const order = nearestOrder(shape);
      return extremes === undefined
        ? new CandlePath(shape, order)
        : new CandlePath(shape, order, segmentsThrough(shape, extremes));
    }
    return new CandlePath(shape, market.path().order);
  }

  /** When the candles of the last price within a coarser mark candle are highest and lowest. Each of them goes to its nearest extreme first. */
  #extremesOfLast(
    shape: PathCandle,
  ): { readonly highTime: EpochMs; readonly lowTime: EpochMs } | undefined {
    const candles = this.market.candles;
    const { rows } = candles;
    const first = candles.rowAt(shape.openTime - 1) + 1;
    let [highest, lowest] = [first, first];
    let row = first;
    for (; row < rows.length && candles.closeTime(row) <= shape.closeTime; row += 1) {
      if ((rows.high(row) ?? 0) > (rows.high(highest) ?? 0)) highest = row;
      if ((rows.low(row) ?? 0) < (rows.low(lowest) ?? 0)) lowest = row;
    }
    if (row === first) return undefined;
    return {
      highTime: extremeTime(candles.shape(highest), 'high-first'),
      lowTime: extremeTime(candles.shape(lowest), 'low-first'),
    };
  }
}

/** When a candle is at its high (`high-first`) or at its low (`low-first`). */
function extremeTime(shape: PathCandle, first: 'high-first' | 'low-first'): EpochMs {
  const third = (shape.closeTime - shape.openTime) / 3;
  return shape.openTime + (nearestOrder(shape) === first ? third : 2 * third);
}

/** Rounds an exact price to 10^-18, the precision of the ledger. */
export function roundPathPrice({ numerator, denominator }: PathPrice): Fixed {
  return denominator === 1n ? numerator : divideHalfEven(numerator, denominator);
}
