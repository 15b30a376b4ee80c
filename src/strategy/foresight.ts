import type { Candle } from '../domain/index.js';
import { FollowedSeries } from './followed-series.js';
import { Indicator, type AnyIndicator } from './indicator.js';
import type { StoredRows, StoredSeries } from './stored-series.js';

const NO_VALUES = new Float64Array(0);

/** What an indicator computes. */
export interface Recipe {
  /** Its kind and all that it was made with: equal names give equal values for equal candles. */
  readonly name: string;
  /** Whether a value depends on the last `lookback + 1` candles alone; otherwise it depends on all from the first. */
  readonly isWindowed: boolean;
  /** Whether it reads nothing of a candle but its close. */
  readonly isOfClose: boolean;
  /** Makes another that has been given nothing. */
  readonly create: () => Indicator;
}

/**
 * An indicator that may compute ahead what it would give for candles that will probably come, and shows it once they have come. Not for
 * plugins: theirs could show what is yet to come. Nothing may depend on whether it is told: other candles may come.
 *
 * What it would give for a whole series is computed once for all that share a {@link StoredSeries.store}. It is then looked up, and its
 * window stays empty, until a candle is another than the series has.
 */
export abstract class ForeseeingIndicator extends Indicator {
  readonly #recipe: Recipe;
  #followed: FollowedSeries | undefined;
  /** Its values; here, because they are read with each candle. */
  #values: Float64Array = NO_VALUES;
  /** Row of the first of them. */
  #valuesFirst = 0;
  #isNew = true;

  constructor(recipe: Recipe) {
    super();
    this.#recipe = recipe;
  }

  override update(candle: Candle): void {
    const followed = this.#followed;
    if (followed === undefined) {
      this.#isNew = false;
      this.#compute(candle);
    } else if (followed.takes(candle)) {
      this.previous = this.value;
      this.value = followed.value;
    } else this.#leave(followed, candle);
  }

  /**
   * Begins with the candles of so many rows of the series that {@link foreseeSeries} was told, from `first` on. Returns whether what it gives for
   * them is known: then {@link showRow} may take each in turn, and {@link endRows} ends it.
   */
  beginRows(first: number, count: number): boolean {
    return this.#followed?.isAt(first, count) ?? false;
  }

  /** Does what {@link update} does with the candle of a row, of those that were begun with. */
  showRow(row: number): void {
    this.previous = this.value;
    this.value = this.#values[row - this.#valuesFirst] as number;
  }

  /** So many of the rows were shown, and no more of them will be. */
  endRows(count: number): void {
    this.#followed?.skip(count);
  }

  #compute(candle: Candle): void {
    this.previous = this.value;
    this.value = this.next(candle);
  }

  /** From here on it computes by itself, as if it had from the beginning. */
  #leave(followed: FollowedSeries, candle: Candle): void {
    this.#followed = undefined;
    this.#isNew = false;
    this.value = Number.NaN;
    for (const taken of followed.taken()) this.#compute(taken);
    this.#compute(candle);
  }

  /** Takes candles that will probably come next. The columns must not be kept. */
  foresee(rows: StoredRows): void {
    if (this.#followed === undefined) this.prepare?.(rows);
  }

  /** Takes all candles that will probably come; does nothing once one has come. Returns whether it looks up what it gives for them. */
  foreseeSeries(series: StoredSeries): boolean {
    if (!this.#isNew) return false;
    const { columns, first, end, store } = series;
    const { name, isWindowed, isOfClose } = this.#recipe;
    const from = isWindowed ? 0 : first;
    const column = { name: `${name} ${String(from)} ${String(end)}`, length: end - from };
    const values = store.column(columns, column, () => this.valuesOf({ ...series, first: from }));
    if (values === undefined) return false;
    this.#values = values;
    this.#valuesFirst = from;
    this.#followed = new FollowedSeries(series, {
      first: from,
      values,
      ready: first + this.lookback,
      isOfClose,
    });
    return true;
  }

  /** Prepares for candles that will probably come next. The columns must not be kept. */
  protected prepare?(rows: StoredRows): void;

  /** The values that one gives which is given all candles of a series; where it has none, whatever number is like NaN to it. */
  protected valuesOf({ first, end, candleAt }: StoredSeries): Float64Array {
    const indicator = this.#recipe.create();
    const values = new Float64Array(end - first);
    for (let row = first; row < end; row += 1) {
      indicator.update(candleAt(row));
      values[row - first] = indicator.value;
    }
    return values;
  }
}

/** Where one of our indicators has the indicators that it is made of, and that it gives each candle once. */
export const PARTS = Symbol('parts');

/** An indicator that is made of others, which may look ahead. */
export interface CompositeIndicator extends AnyIndicator {
  readonly [PARTS]: readonly AnyIndicator[];
}

/** Tells an indicator which candles it will probably be given next. Those that do not look ahead do not hear it. */
export function foresee(indicator: AnyIndicator, rows: StoredRows): void {
  for (const foreseeing of foreseeingIn(indicator)) foreseeing.foresee(rows);
}

/**
 * Tells indicators all candles that they will probably be given, before the first. Those that do not look ahead do not hear it. Returns those
 * of which rows may be shown by {@link ForeseeingIndicator.showRow}.
 */
export function foreseeSeries(
  indicators: readonly AnyIndicator[],
  series: StoredSeries,
): readonly ForeseeingIndicator[] {
  const followers = indicators.flatMap(foreseeingIn).filter((one) => one.foreseeSeries(series));
  return followers.filter((one) => indicators.includes(one));
}

function foreseeingIn(indicator: AnyIndicator): readonly ForeseeingIndicator[] {
  if (indicator instanceof ForeseeingIndicator) return [indicator];
  return PARTS in indicator ? (indicator as CompositeIndicator)[PARTS].flatMap(foreseeingIn) : [];
}
