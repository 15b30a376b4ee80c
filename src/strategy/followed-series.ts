import type { Candle } from '../domain/index.js';
import type { StoredSeries } from './stored-series.js';

/** Of an indicator the values that it gives from some row of a series on. */
export interface SeriesValues {
  /** Row of the first. */
  readonly first: number;
  readonly values: Float64Array;
  /** Before this row there is no value, whatever is among them. */
  readonly ready: number;
  /** Whether they depend on nothing but closes. */
  readonly isOfClose: boolean;
}

/** The place of an indicator in a stored series, as long as the candles that come are those of its rows, from the first on. */
export class FollowedSeries {
  readonly #series: StoredSeries;
  readonly #open: Float64Array;
  readonly #high: Float64Array;
  readonly #low: Float64Array;
  readonly #close: Float64Array;
  readonly #volume: Float64Array;
  readonly values: Float64Array;
  // Small whole numbers from the start, to the compiler too: of others it is asked with each candle what they are.
  /** Row of the first of them. */
  readonly valuesFirst: number = 0;
  /** Before this row there is no value, whatever is among them. */
  readonly #ready: number = 0;
  readonly #end: number = 0;
  readonly #isOfClose: boolean;
  #row = 0;

  constructor(series: StoredSeries, { first, values, ready, isOfClose }: SeriesValues) {
    const { columns } = series;
    this.#series = series;
    this.#open = columns.open;
    this.#high = columns.high;
    this.#low = columns.low;
    this.#close = columns.close;
    this.#volume = columns.volume;
    this.values = values;
    this.valuesFirst = first;
    this.#ready = Math.trunc(ready);
    this.#end = series.end;
    this.#isOfClose = isOfClose;
    this.#row = series.first;
  }

  /** Goes on by a candle if it is that of the next row, in what the values depend on. */
  takes(candle: Candle): boolean {
    const row = this.#row;
    if (row >= this.#end || candle.close !== this.#close[row]) return false;
    if (
      !this.#isOfClose &&
      (candle.open !== this.#open[row] ||
        candle.high !== this.#high[row] ||
        candle.low !== this.#low[row] ||
        candle.volume !== this.#volume[row])
    )
      return false;
    this.#row = row + 1;
    return true;
  }

  /**
   * Goes on by the candle of a row, if that is the next and has a value. The candle is not looked at: it may lie far away in memory.
   */
  takesRow(row: number): boolean {
    if (row !== this.#row || row < this.#ready || row >= this.#end) return false;
    this.#row = row + 1;
    return true;
  }

  /** The value that came with the candle taken last; NaN where there was none. */
  get value(): number {
    const row = this.#row - 1;
    return row < this.#ready ? Number.NaN : (this.values[row - this.valuesFirst] as number);
  }

  /** The candles taken so far. */
  *taken(): Generator<Candle> {
    for (let row = this.#series.first; row < this.#row; row += 1) yield this.#series.candleAt(row);
  }
}
