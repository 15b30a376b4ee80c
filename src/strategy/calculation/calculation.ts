import type { Candle } from '../../domain/index.js';

/** Computes the values of an indicator, one candle after the other. A strategy cannot reach a calculation. */
export interface Calculation {
  /** The value after this candle; NaN while there is no value. */
  next(candle: Candle): number;
  /** Count of numbers so far that lay on no tick grid. Only calculations that need a grid have it. */
  readonly strays?: number;
}

/** A calculation that can take many closes at once, because it reads only the close of a candle. */
export interface CloseCalculation extends Calculation {
  /** Does the same as {@link next} for each close from `first` to `end` (exclusive). Writes the values to `values`, from index `at` on. */
  nextOfCloses(
    closes: Float64Array,
    first: number,
    end: number,
    values: Float64Array,
    at: number,
  ): void;
  /** Returns an independent calculation in the same state. */
  copy(): CloseCalculation;
}

/** Whether a calculation can be given many closes at once. */
export function isOfCloses(calculation: Calculation): calculation is CloseCalculation {
  return 'nextOfCloses' in calculation;
}

/** How an indicator is computed. */
export interface Recipe {
  /** Kind and arguments of the indicator: equal names give equal values for equal candles. */
  readonly name: string;
  readonly lookback: number;
  /** Whether a value depends on the last `lookback + 1` candles alone; otherwise it depends on all from the first. */
  readonly isWindowed: boolean;
  /** See `AnyIndicator.convergence`. @defaultValue 0 */
  readonly convergence?: number;
  /** Whether it reads only the close of a candle. */
  readonly isOfClose: boolean;
  /** Makes a calculation that has not received a candle yet. */
  readonly create: () => Calculation;
}
