import type { Candle, CandleColumns } from '../domain/index.js';
import { isOfCloses, type Calculation, type Recipe } from './calculation.js';
import { computeValues } from './compute-values.js';
import type { SeriesValues } from './precomputed-store.js';
import type { IndicatorSeries } from './stored-series.js';
import { computeAhead, type CloseRows, type ValuesAhead } from './values-ahead.js';

/** The row of a stream whose candle was delivered last: what is looked up follows it. */
export interface DeliveredRow {
  row: number;
  /** Whether a feed that followed it has been given a candle beside it, and follows it no longer. */
  isLeft: boolean;
}

const NO_VALUES = new Float64Array(0);
/** The row of a feed that looks nothing up. */
const NO_ROW = -1;
const NOTHING_DELIVERED: DeliveredRow = { row: NO_ROW, isLeft: false };
/** Where nothing is shown by row. */
const NOWHERE = 2 ** 30 - 1;

/**
 * The engine's side of one of our indicators: knows what it shows after each candle, computed then or looked up when it is read, where the engine
 * has said before which candles come: all of a series, or the next ones. It holds values of candles that are yet to come: nothing that a
 * strategy can read leads to it.
 *
 * Nothing depends on whether values are looked up: other candles may come. From the first that is not the series' own it computes by itself,
 * as if it had from the beginning.
 */
export class IndicatorFeed {
  readonly #recipe: Recipe;
  readonly lookback: number;
  #calculation: Calculation;
  /** What it follows; undefined where it computes by itself. */
  #series: IndicatorSeries | undefined;
  #looked: SeriesValues | undefined;
  /** Values of the next candles where it computes by itself, and they are known. */
  #ahead: ValuesAhead | undefined;
  /** The values that are looked up, the row of the first of them, and the row of the next candle. */
  #values: Float64Array = NO_VALUES;
  #valuesFirst = 0;
  #row = NO_ROW;
  #isNew = true;
  /** From this row on values are those of the row that was delivered last; before it, they are {@link #value} and {@link #previous}. */
  #shownFrom = NOWHERE;
  #delivered = NOTHING_DELIVERED;
  #value = Number.NaN;
  #previous = Number.NaN;

  constructor(recipe: Recipe) {
    this.#recipe = recipe;
    this.lookback = recipe.lookback;
    this.#calculation = recipe.create();
  }

  get value(): number {
    const { row } = this.#delivered;
    return row >= this.#shownFrom ? (this.#values[row - this.#valuesFirst] as number) : this.#value;
  }

  get previous(): number {
    const { row } = this.#delivered;
    if (row > this.#shownFrom) return this.#values[row - 1 - this.#valuesFirst] as number;
    return row === this.#shownFrom ? this.#value : this.#previous;
  }

  /** Whether it has met numbers that lie on no tick grid, so that its averages are not exact. */
  get hasStrays(): boolean {
    this.#settle();
    if (this.#series !== undefined && this.#looked !== undefined)
      return this.#looked.lastStray >= this.#series.first;
    this.#leaveAhead();
    return (this.#calculation.strays ?? 0) > 0;
  }

  /** Whether {@link begin} may say yes. */
  get mayLookUp(): boolean {
    return this.#series !== undefined || isOfCloses(this.#calculation);
  }

  /** Takes the next candle, whatever it is. */
  take(candle: Candle): void {
    if (this.#shownFrom !== NOWHERE) {
      this.#settle();
      this.#delivered.isLeft = true;
    }
    if (this.#series !== undefined) {
      this.#look(this.#series, candle);
      return;
    }
    this.#isNew = false;
    this.#leaveAhead();
    this.#compute(candle);
  }

  /** Takes the candle of the row that was delivered where it shows no values by row any more. */
  takeUnlessShown(candle: Candle): void {
    if (this.#shownFrom === NOWHERE) this.take(candle);
  }

  #look(series: IndicatorSeries, candle: Candle): void {
    if (this.#isNext(series, candle)) this.#showNext(series);
    else this.#leave(series, candle);
  }

  /**
   * The next candles are so many rows of those given. Returns whether their values are known: then it shows that of the row that `delivered` says,
   * as far as they come.
   */
  begin(rows: CloseRows, count: number, delivered: DeliveredRow): boolean {
    this.#settle();
    const series = this.#series;
    const isKnown =
      series === undefined
        ? this.#beginAhead(rows, count)
        : rows.first === this.#row &&
          rows.first >= this.#firstReady(series) &&
          rows.first + count <= series.end;
    if (!isKnown) return false;
    this.#delivered = delivered;
    this.#shownFrom = rows.first;
    return true;
  }

  /** Ends to show values by row: it keeps those of the last, and the row after it is the next. */
  #settle(): void {
    const from = this.#shownFrom;
    if (from === NOWHERE) return;
    const { row } = this.#delivered;
    const { value, previous } = this;
    this.#value = value;
    this.#previous = previous;
    this.#row = row >= from ? row + 1 : from;
    this.#shownFrom = NOWHERE;
  }

  #beginAhead(rows: CloseRows, count: number): boolean {
    if (rows.first !== this.#row || this.#ahead?.reach(rows, count) !== true) {
      this.#leaveAhead();
      this.#ahead = computeAhead(this.#calculation, this.lookback, rows);
      if (this.#ahead?.reach(rows, count) !== true) return false;
      this.#row = rows.first;
      this.#isNew = false;
    }
    this.#values = this.#ahead.values;
    this.#valuesFirst = this.#ahead.first;
    return true;
  }

  /** From here on it computes one value at a time. */
  #leaveAhead(): void {
    if (this.#ahead === undefined) return;
    this.#calculation = this.#ahead.calculationAt(this.#row);
    this.#ahead = undefined;
    this.#values = NO_VALUES;
    this.#row = NO_ROW;
  }

  /** Follows a series where it has been given nothing yet and the store has room. */
  follow(series: IndicatorSeries): void {
    if (!this.#isNew) return;
    const { columns, first, end, store } = series;
    const { name, isWindowed } = this.#recipe;
    const from = isWindowed ? 0 : first;
    const column = { name: `${name} ${String(from)} ${String(end)}`, length: end - from };
    const looked = store.column(columns, column, () =>
      computeValues(this.#recipe, { ...series, first: from }),
    );
    if (looked === undefined) return;
    this.#looked = looked;
    this.#values = looked.values;
    this.#valuesFirst = from;
    this.#series = series;
    this.#row = first;
  }

  #compute(candle: Candle): void {
    this.#previous = this.#value;
    this.#value = this.#calculation.next(candle);
  }

  /** Whether a candle is that of the next row, in what the values depend on. */
  #isNext({ columns, end }: IndicatorSeries, candle: Candle): boolean {
    const row = this.#row;
    return (
      row < end &&
      candle.close === columns.close[row] &&
      (this.#recipe.isOfClose || isRow(columns, row, candle))
    );
  }

  #showNext(series: IndicatorSeries): void {
    const row = this.#row;
    this.#previous = this.#value;
    this.#value =
      row < this.#firstReady(series)
        ? Number.NaN
        : (this.#values[row - this.#valuesFirst] as number);
    this.#row = row + 1;
  }

  /** From here on it computes by itself. */
  #leave(series: IndicatorSeries, candle: Candle): void {
    const end = this.#row;
    this.#series = undefined;
    this.#looked = undefined;
    this.#values = NO_VALUES;
    this.#row = NO_ROW;
    this.#isNew = false;
    this.#value = Number.NaN;
    for (let row = series.first; row < end; row += 1) this.#compute(series.candleAt(row));
    this.#compute(candle);
  }

  /** Before this row there is no value, whatever is among those that are looked up. */
  #firstReady({ first }: IndicatorSeries): number {
    return first + this.lookback;
  }
}

function isRow(columns: CandleColumns, row: number, candle: Candle): boolean {
  return (
    candle.open === columns.open[row] &&
    candle.high === columns.high[row] &&
    candle.low === columns.low[row] &&
    candle.volume === columns.volume[row]
  );
}
