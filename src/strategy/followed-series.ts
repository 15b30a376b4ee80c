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
  readonly #values: SeriesValues;
  readonly #end: number;
  #row: number;

  constructor(series: StoredSeries, values: SeriesValues) {
    const { columns } = series;
    this.#series = series;
    this.#open = columns.open;
    this.#high = columns.high;
    this.#low = columns.low;
    this.#close = columns.close;
    this.#volume = columns.volume;
    this.#values = values;
    this.#end = series.end;
    this.#row = series.first;
  }

  /** Goes on by a candle if it is that of the next row, in what the values depend on. */
  takes(candle: Candle): boolean {
    const row = this.#row;
    if (row >= this.#end || candle.close !== this.#close[row]) return false;
    if (
      !this.#values.isOfClose &&
      (candle.open !== this.#open[row] ||
        candle.high !== this.#high[row] ||
        candle.low !== this.#low[row] ||
        candle.volume !== this.#volume[row])
    )
      return false;
    this.#row = row + 1;
    return true;
  }

  /** Whether the next candles are those of so many rows from `first` on, and all have a value. */
  isAt(first: number, count: number): boolean {
    return first === this.#row && first >= this.#values.ready && first + count <= this.#end;
  }

  /** Goes on by the candles of so many rows. They are not looked at: they may lie far away in memory. */
  skip(count: number): void {
    this.#row += count;
  }

  /** The value that came with the candle taken last; NaN where there was none. */
  get value(): number {
    const { values, first, ready } = this.#values;
    const row = this.#row - 1;
    return row < ready ? Number.NaN : (values[row - first] as number);
  }

  /** The candles taken so far. */
  *taken(): Generator<Candle> {
    for (let row = this.#series.first; row < this.#row; row += 1) yield this.#series.candleAt(row);
  }
}
