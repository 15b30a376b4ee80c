import type { Candle, CandleColumns } from '../../domain/index.js';
import { isOfCloses, type Calculation, type Recipe } from './calculation.js';
import { computeValues } from './compute-values.js';
import type { SeriesValues } from './precomputed-store.js';
import type { IndicatorSeries } from './stored-series.js';
import { computeAhead, type CloseRows, type ValuesAhead } from './values-ahead.js';

/** The row of a stream whose candle was delivered last. Feeds that look values up follow it. */
export interface DeliveredRow {
  row: number;
  /** Whether a feed that followed it has received a candle in another way, and so no longer follows it. */
  isLeft: boolean;
}

const NO_VALUES = new Float64Array(0);
/** The row of a feed that does not look values up. */
const NO_ROW = -1;
const NOTHING_DELIVERED: DeliveredRow = { row: NO_ROW, isLeft: false };
/** `#shownFrom` of a feed that shows no values by row. */
const NOWHERE = 2 ** 30 - 1;

/**
 * The engine's side of a {@link CalculatedIndicator}: knows its value after each candle. The value is computed with the candle, or looked up when it
 * is read, if the engine has announced the candles before: a whole series, or the next rows. A feed holds values of future candles, so a
 * strategy must not be able to reach it.
 *
 * Values are the same whether they are looked up or not. Other candles than announced may come: from the first of them on, the feed computes,
 * as if it had done so from the beginning.
 */
export class IndicatorFeed {
  readonly #recipe: Recipe;
  readonly lookback: number;
  #calculation: Calculation;
  /** The series whose values it looks up; undefined if it computes them. */
  #series: IndicatorSeries | undefined;
  #looked: SeriesValues | undefined;
  /** Values of the next candles, computed ahead; only without a series. */
  #ahead: ValuesAhead | undefined;
  /** Values to look up, the row of the first value, and the row of the next candle. */
  #values: Float64Array = NO_VALUES;
  #valuesFirst = 0;
  #row = NO_ROW;
  #isNew = true;
  /** If the row delivered last is at or after this row, its values are looked up. Otherwise {@link #value} and {@link #previous} apply. */
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

  /** Whether any number so far lay on no tick grid, so that its averages are not exact. */
  get hasStrays(): boolean {
    this.#leaveRows();
    if (this.#series !== undefined && this.#looked !== undefined)
      return this.#looked.lastStray >= this.#series.first;
    this.#leaveAhead();
    return (this.#calculation.strays ?? 0) > 0;
  }

  /** Whether {@link begin} may return true. */
  get mayLookUp(): boolean {
    return this.#series !== undefined || isOfCloses(this.#calculation);
  }

  /** Takes the next candle, announced or not. */
  take(candle: Candle): void {
    this.#leaveRows();
    if (this.#series !== undefined) {
      this.#look(this.#series, candle);
      return;
    }
    this.#isNew = false;
    this.#leaveAhead();
    this.#compute(candle);
  }

  /** Leaves the rows that have begun, if any: from now on it takes each candle. */
  #leaveRows(): void {
    if (this.#shownFrom === NOWHERE) return;
    this.#settle();
    this.#delivered.isLeft = true;
  }

  /** Takes the candle of the row that was delivered, if it no longer shows values by row. */
  takeUnlessShown(candle: Candle): void {
    if (this.#shownFrom === NOWHERE) this.take(candle);
  }

  #look(series: IndicatorSeries, candle: Candle): void {
    if (this.#isNext(series, candle)) this.#showNext(series);
    else this.#leave(series, candle);
  }

  /**
   * Announces `count` rows as the next candles. Returns whether their values are known: then the feed shows the values of the row that `delivered`
   * names, while these rows are delivered.
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

  /** Stops showing values by row: stores the values of the last row, and expects the row after it next. */
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

  /** Follows a series, if it has not received a candle yet and the store has room. */
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

  /** Whether a candle equals that of the next row, in all numbers that the values depend on. */
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

  /** Leaves the series: computes the values of its rows so far and of this candle, and from here on computes each value. */
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

  /** The first row with a value. Earlier numbers among the values to look up do not count. */
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
