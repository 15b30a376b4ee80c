import {
  closeTimeOf,
  fixedFromNumber,
  fixedToNumber,
  floorToStep,
  type CandleColumns,
  type EpochMs,
  type Fixed,
  type Interval,
  type ResolvedRules,
} from '../../domain/index.js';
import { CandlePath, nearestOrder, publishedPrice } from '../../simulator/index.js';

/** Prints of one candle. Six of one size would do; sixty let every corner of the path be a print. */
export const PRINTS_PER_CANDLE = 60;

/** A candle of which a part has happened, or all of it. */
export interface CandleSoFar {
  readonly openTime: EpochMs;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** One print of a candle's trading. */
export interface Print {
  readonly time: EpochMs;
  readonly price: Fixed;
  readonly quantity: Fixed;
  readonly isUp: boolean;
}

/** What drives one instrument. */
export interface SeriesSource {
  readonly interval: Interval;
  /** Volume in base, of contracts in contracts. */
  readonly columns: CandleColumns;
}

/**
 * The stored candles of one instrument as they are seen while they happen: where the path is, what has been printed of a candle, and the
 * candle so far.
 *
 * The path is the simulator's (nearest extreme first), so what is published is what orders are filled on. A candle's volume is printed in
 * {@link PRINTS_PER_CANDLE} equal shares whose sum is the candle's volume; the first print is its open, the last its close.
 */
export class MarketSeries {
  readonly source: SeriesSource;
  #row = -2;
  #path: CandlePath | undefined;

  constructor(source: SeriesSource) {
    this.source = source;
  }

  /** Row of the candle that is open at an instant, or of the last before it; -1 before the first. */
  rowAt(time: EpochMs): number {
    const times = this.source.columns.openTime;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  openTimeOf(row: number): EpochMs {
    return this.source.columns.openTime[row] ?? Number.NaN;
  }

  closeTimeOf(row: number): EpochMs {
    return closeTimeOf(this.openTimeOf(row), this.source.interval);
  }

  /** Last price as it is published at an instant: on the path of the open candle, else the last close. */
  last(time: EpochMs, { tick, pricePrecision }: ResolvedRules): Fixed {
    const row = this.rowAt(time);
    return publishedPrice(this.#pathOf(row, pricePrecision).at(time), tick);
  }

  /** What of a candle has happened by an instant. A candle that has closed is the stored one. */
  soFar(row: number, time: EpochMs, rules: ResolvedRules): CandleSoFar {
    const { open, high, low, close, volume } = this.source.columns;
    const openTime = this.openTimeOf(row);
    if (time >= this.closeTimeOf(row)) {
      return {
        openTime,
        open: open[row] ?? 0,
        high: high[row] ?? 0,
        low: low[row] ?? 0,
        close: close[row] ?? 0,
        volume: volume[row] ?? 0,
      };
    }
    const path = this.#pathOf(row, rules.pricePrecision);
    const now = publishedPrice(path.at(time), rules.tick);
    const seen = [path.shape.open, now];
    for (const corner of path.segments) if (corner.toTime <= time) seen.push(corner.to);
    const prices = seen.map(fixedToNumber);
    return {
      openTime,
      open: open[row] ?? 0,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: fixedToNumber(now),
      volume: fixedToNumber(this.#printedBy(row, time, rules)),
    };
  }

  /** Prints of a candle by an instant, oldest first. */
  prints(row: number, time: EpochMs, rules: ResolvedRules): readonly Print[] {
    const path = this.#pathOf(row, rules.pricePrecision);
    const volume = this.volumeOf(row);
    const prints: Print[] = [];
    let before = path.shape.open;
    let printed = 0n;
    for (let index = 0; index < PRINTS_PER_CANDLE; index += 1) {
      const printTime = this.#printTime(row, index);
      if (printTime > time) break;
      const isLast = index === PRINTS_PER_CANDLE - 1;
      const price = isLast ? path.shape.close : publishedPrice(path.at(printTime), rules.tick);
      const total = printedShare(volume, index + 1, rules);
      const quantity = total - printed;
      if (quantity > 0n) prints.push({ time: printTime, price, quantity, isUp: price >= before });
      printed = total;
      before = price;
    }
    return prints;
  }

  /** Volume of a candle, in base or contracts. */
  volumeOf(row: number): Fixed {
    return fixedFromNumber(this.source.columns.volume[row] ?? 0);
  }

  #printedBy(row: number, time: EpochMs, rules: ResolvedRules): Fixed {
    let count = 0;
    while (count < PRINTS_PER_CANDLE && this.#printTime(row, count) <= time) count += 1;
    return printedShare(this.volumeOf(row), count, rules);
  }

  /** The first print is at the open, the last a millisecond before the close, the others evenly between. */
  #printTime(row: number, index: number): EpochMs {
    const [openTime, closeTime] = [this.openTimeOf(row), this.closeTimeOf(row)];
    if (index === PRINTS_PER_CANDLE - 1) return closeTime - 1;
    return openTime + Math.floor(((closeTime - openTime) * index) / PRINTS_PER_CANDLE);
  }

  #pathOf(row: number, pricePrecision: number): CandlePath {
    if (this.#row === row && this.#path !== undefined) return this.#path;
    const { open, high, low, close } = this.source.columns;
    const exact = (column: Float64Array): Fixed =>
      fixedFromNumber(column[row] ?? 0, pricePrecision);
    const shape = {
      openTime: this.openTimeOf(row),
      closeTime: this.closeTimeOf(row),
      open: exact(open),
      high: exact(high),
      low: exact(low),
      close: exact(close),
    };
    this.#row = row;
    this.#path = new CandlePath(shape, nearestOrder(shape));
    return this.#path;
  }
}

/** What of a volume has been printed after so many prints: on the grid of quantities, all of it at the end. */
function printedShare(volume: Fixed, count: number, { step }: ResolvedRules): Fixed {
  if (count >= PRINTS_PER_CANDLE) return volume;
  return floorToStep((volume * BigInt(count)) / BigInt(PRINTS_PER_CANDLE), step);
}
