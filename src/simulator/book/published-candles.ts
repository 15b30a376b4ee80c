import {
  candleQuantity,
  fixedFromNumber,
  fixedToNumber,
  present,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import type { MarketSource } from '../market-source.js';
import { CandleLookup } from '../path/candle-lookup.js';
import {
  CandlePath,
  publishedPrice,
  type PathCandle,
  type ExtremeOrder,
  type PathPrice,
} from '../path/candle-path.js';
import { walkFiner } from '../path/finer-path.js';
import { CandlePrints, type Grid } from './candle-prints.js';

/** The part of a candle that has happened by an instant; the whole candle once it has closed. */
export interface CandleSoFar {
  readonly openTime: EpochMs;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** In base or contracts. */
  readonly volume: Fixed;
}

interface PublishedCandlesOptions {
  readonly source: MarketSource;
  /** Grids in force at a time. */
  readonly gridAt: (time: EpochMs) => Grid;
  readonly seed: number;
  /** Which extreme a candle visits first. Asked each time, because the choice may be made while the candle is open. */
  readonly order: (shape: PathCandle) => ExtremeOrder;
}

/**
 * Stored candles, shown as the public sees them happen. The last price moves on the simulator's path. The candle's volume is printed on it, trade by
 * trade. At an instant, nothing that opens later is known.
 */
export class PublishedCandles {
  readonly source: MarketSource;
  readonly stored: CandleLookup;
  readonly #finer: CandleLookup | undefined;
  readonly #options: PublishedCandlesOptions;
  readonly #from: EpochMs;
  readonly #end: EpochMs;
  /** Cache of the candle of the last query: most queries are about one candle. */
  #row = -1;
  #shape: PathCandle | undefined;
  #path: CandlePath | undefined;
  #prints: CandlePrints | undefined;

  constructor(options: PublishedCandlesOptions) {
    const { source } = options;
    this.source = source;
    this.stored = new CandleLookup(source, source.pricePrecision);
    this.#finer = source.finer && new CandleLookup(source.finer, source.pricePrecision);
    this.#options = options;
    this.#from = source.span?.from ?? Number.NEGATIVE_INFINITY;
    this.#end = source.span?.end ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Row of the last candle that has opened at `time`; -1 before the first. If `hasOpened` is false, a candle that opens exactly at `time` does not
   * count. A candle that closes after the end of trading never opens, as at the venue.
   */
  rowSeenAt(time: EpochMs, hasOpened: boolean): number {
    const row = this.stored.rowAt(time);
    if (row < 0) return row;
    const isSeen = hasOpened || this.stored.openTime(row) < time;
    return isSeen && this.stored.closeTime(row) <= this.#end ? row : row - 1;
  }

  /**
   * Row of the candle that makes the last price: as {@link rowSeenAt}, but a candle that was open when trading began does not move it, as at the venue.
   * Before the first other candle it has to.
   */
  rowPricedAt(time: EpochMs, hasOpened: boolean): number {
    const row = this.rowSeenAt(time, hasOpened);
    if (row < 1) return row;
    const wasOpen =
      this.stored.openTime(row) < this.#from && this.stored.closeTime(row) > this.#from;
    return wasOpen ? row - 1 : row;
  }

  isOpenAt(row: number, time: EpochMs): boolean {
    return time < this.stored.closeTime(row);
  }

  /** The last price, on the tick, at a time in `row`'s candle or after it. During the candle it follows the path; afterwards it is the close. */
  lastAt(row: number, time: EpochMs): Fixed {
    return publishedPrice(this.priceAt(row, time), this.#options.gridAt(time).tick);
  }

  /** As {@link lastAt}, before it is rounded to the tick. */
  priceAt(row: number, time: EpochMs): PathPrice {
    return this.pathOf(row).at(Math.min(time, this.stored.closeTime(row)));
  }

  /** Volume of a whole candle in the unit of order quantities: base, or contracts; see `candleQuantity` (DESIGN R6). */
  volumeOf(row: number): Fixed {
    const { instrument, rows, volumeUnit: unit } = this.source;
    const volume = fixedFromNumber(present(rows.volume(row), 'a candle'));
    return candleQuantity(instrument, { volume, unit, price: this.stored.close(row) });
  }

  pathOf(row: number): CandlePath {
    this.#enter(row);
    this.#shape ??= this.stored.shape(row);
    const order = this.#options.order(this.#shape);
    if (this.#path?.order !== order) {
      this.#path = this.#createPath(this.#shape, order);
      this.#prints = undefined;
    }
    return this.#path;
  }

  #createPath(shape: PathCandle, order: ExtremeOrder): CandlePath {
    const walk = this.#finer && walkFiner(shape, this.#finer);
    return new CandlePath(shape, order, walk?.segments);
  }

  printsOf(row: number): CandlePrints {
    const path = this.pathOf(row);
    this.#prints ??= new CandlePrints({
      path,
      volume: this.volumeOf(row),
      grid: this.#options.gridAt(this.stored.openTime(row)),
      seed: this.#options.seed,
    });
    return this.#prints;
  }

  soFar(row: number, time: EpochMs): CandleSoFar {
    const { rows } = this.source;
    const openTime = this.stored.openTime(row);
    const first = present(rows.open(row), 'a candle');
    if (!this.isOpenAt(row, time)) {
      return {
        openTime,
        open: first,
        high: present(rows.high(row), 'a candle'),
        low: present(rows.low(row), 'a candle'),
        close: present(rows.close(row), 'a candle'),
        volume: this.volumeOf(row),
      };
    }
    const now = fixedToNumber(this.lastAt(row, time));
    let [highest, lowest] = [Math.max(first, now), Math.min(first, now)];
    for (const { from, fromTime, to, toTime } of this.pathOf(row).segments) {
      if (fromTime > time) break;
      // On a path of finer candles, a segment may begin at another price than the last one ended.
      const corners = toTime > time ? [from] : [from, to];
      for (const corner of corners.map(fixedToNumber)) {
        highest = Math.max(highest, corner);
        lowest = Math.min(lowest, corner);
      }
    }
    const volume = this.printsOf(row).volumeBy(time);
    return { openTime, open: first, high: highest, low: lowest, close: now, volume };
  }

  #enter(row: number): void {
    if (this.#row === row) return;
    this.#row = row;
    this.#shape = undefined;
    this.#path = undefined;
    this.#prints = undefined;
  }
}

/** Row of the last time at or before `time`; -1 if there is none. */
export function lastRowAt(times: Float64Array, time: EpochMs): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Number.NaN) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
