import type { Candle, CandleColumns } from '../domain/index.js';
import { isOfCloses, type Calculation, type Recipe } from './calculation.js';
import { computeValues } from './compute-values.js';
import type { SeriesValues } from './precomputed-store.js';
import type { IndicatorSeries } from './stored-series.js';
import { computeAhead, type CloseRows, type ValuesAhead } from './values-ahead.js';

/** The numbers of an indicator that its feed writes. */
interface Shown {
  value: number;
  previous: number;
}

const NO_VALUES = new Float64Array(0);
/** The row of a feed that looks nothing up. */
const NO_ROW = -1;

/**
 * The engine's side of one of our indicators: writes to it what it shows after each candle, computed now or looked up, where the engine has said
 * before which candles come: all of a series, or the next ones. It holds values of candles that are yet to come: nothing that a strategy holds leads to it.
 *
 * Nothing depends on whether values are looked up: other candles may come. From the first that is not the series' own it computes by itself,
 * as if it had from the beginning.
 */
export class IndicatorFeed {
  readonly #shown: Shown;
  readonly #recipe: Recipe;
  readonly lookback: number;
  #calculation: Calculation;
  /** What it follows; undefined where it computes by itself. */
  #series: IndicatorSeries | undefined;
  #looked: SeriesValues | undefined;
  /** Values of the next candles where it computes by itself, and they are known. */
  #ahead: ValuesAhead | undefined;
  /** The values that are looked up, the row of the first of them, and the row of the next candle: read with each candle. */
  #values: Float64Array = NO_VALUES;
  #valuesFirst = 0;
  #row = NO_ROW;
  #isNew = true;

  constructor(shown: Shown, recipe: Recipe) {
    this.#shown = shown;
    this.#recipe = recipe;
    this.lookback = recipe.lookback;
    this.#calculation = recipe.create();
  }

  /** Whether it has met numbers that lie on no tick grid, so that its averages are not exact. */
  get hasStrays(): boolean {
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
    if (this.#series !== undefined) {
      this.#look(this.#series, candle);
      return;
    }
    this.#isNew = false;
    this.#leaveAhead();
    this.#compute(candle);
  }

  #look(series: IndicatorSeries, candle: Candle): void {
    if (this.#isNext(series, candle)) this.#showNext(series);
    else this.#leave(series, candle);
  }

  /**
   * The next candles are so many rows of those given. Returns whether their values are known: then {@link show} may take each of them in turn, as
   * far as they come.
   */
  begin(rows: CloseRows, count: number): boolean {
    const series = this.#series;
    return series === undefined
      ? this.#beginAhead(rows, count)
      : rows.first === this.#row &&
          rows.first >= this.#firstReady(series) &&
          rows.first + count <= series.end;
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

  /** Does what {@link take} does with the candle of a row; that of a row it is at is not looked at. */
  show(row: number, candle: Candle): void {
    if (row === this.#row) {
      const shown = this.#shown;
      shown.previous = shown.value;
      shown.value = this.#values[row - this.#valuesFirst] as number;
      this.#row = row + 1;
    } else this.take(candle);
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
    const shown = this.#shown;
    shown.previous = shown.value;
    shown.value = this.#calculation.next(candle);
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
    const shown = this.#shown;
    shown.previous = shown.value;
    shown.value =
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
    this.#shown.value = Number.NaN;
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
