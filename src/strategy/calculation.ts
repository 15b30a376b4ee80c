import type { Candle } from '../domain/index.js';

/** Computes what an indicator shows, one candle after the other. Nothing that a strategy holds leads to one. */
export interface Calculation {
  /** The value after this candle; NaN while there is none. */
  next(candle: Candle): number;
  /** Of those that need a tick grid: numbers so far that lay on none. */
  readonly strays?: number;
}

/** A calculation that may be given many closes at once: it reads nothing else of a candle. */
export interface CloseCalculation extends Calculation {
  /** Does what {@link next} does with each of the closes from `first` to `end` (exclusive): writes the values to `values`, from `at` on. */
  nextOfCloses(
    closes: Float64Array,
    first: number,
    end: number,
    values: Float64Array,
    at: number,
  ): void;
  /** Another calculation that goes on from here. */
  copy(): CloseCalculation;
}

/** Whether a calculation can be given many closes at once. */
export function isOfCloses(calculation: Calculation): calculation is CloseCalculation {
  return 'nextOfCloses' in calculation;
}

/** What an indicator computes. */
export interface Recipe {
  /** Its kind and all that it was made with: equal names give equal values for equal candles. */
  readonly name: string;
  readonly lookback: number;
  /** Whether a value depends on the last `lookback + 1` candles alone; otherwise it depends on all from the first. */
  readonly isWindowed: boolean;
  /** See `AnyIndicator.convergence`. @defaultValue 0 */
  readonly convergence?: number;
  /** Whether it reads nothing of a candle but its close. */
  readonly isOfClose: boolean;
  /** Makes a calculation that has been given nothing. */
  readonly create: () => Calculation;
}
