import { DomainError, type Candle } from '../domain/index.js';
import { valueAt } from './value-history.js';

/** Which number of a candle an indicator reads. */
export type PriceSource = 'open' | 'high' | 'low' | 'close' | 'hl2' | 'hlc3' | 'ohlc4' | 'volume';

/** Fed with one closed candle at a time, in order. */
export interface AnyIndicator {
  /** Candles needed before the first value (TA-Lib's lookback): 9 for an average of 10. */
  readonly lookback: number;
  /**
   * Candles from the first value on until the start of the indicator weighs less than 1e-9: 2,073 for an exponential average of 200. Infinity if it keeps its
   * weight for ever, as in a sum from the first candle on. @defaultValue 0, for values that depend on the last `lookback + 1` candles alone
   */
  readonly convergence?: number;
  update(candle: Candle): void;
}

/** Returns {@link AnyIndicator.convergence}, or its default value. */
export function convergenceOfIndicator({ convergence = 0 }: AnyIndicator): number {
  return convergence;
}

/**
 * The weight that the start of an indicator still has after `candles` candles, 0 to 1: 1 up to its first value, less than 1e-9 once it has converged. In
 * between it falls by the same ratio with each candle. This is exact for an exponential average, and an approximation for a chain of averages.
 */
export function seedWeight(
  { lookback, convergence = 0 }: Pick<AnyIndicator, 'lookback' | 'convergence'>,
  candles: number,
): number {
  const since = candles - lookback;
  if (convergence === Number.POSITIVE_INFINITY) return 1;
  if (convergence === 0) return since > 0 ? 0 : 1;
  return since <= 0 ? 1 : 1e-9 ** (since / convergence);
}

/**
 * An indicator with one number as its value.
 *
 * `value` is NaN before the first, and `previous` before the second, so comparisons are false until both exist.
 */
export abstract class Indicator implements AnyIndicator {
  abstract readonly lookback: number;
  readonly convergence: number = 0;
  #value = Number.NaN;
  #previous = Number.NaN;

  get value(): number {
    return this.#value;
  }

  get previous(): number {
    return this.#previous;
  }

  /** Computes the value after this candle; NaN while there is no value. */
  protected abstract next(candle: Candle): number;

  update(candle: Candle): void {
    this.#previous = this.#value;
    this.#value = this.next(candle);
  }

  /**
   * Returns an earlier value: at(0) is the newest, at(-1) the value one candle before. To read further back, set how many values to keep:
   * `this.indicator(sma(10), { keep: 50 })`. NaN for a candle without a value.
   *
   * @throws {DomainError} `E_INDICATOR_HISTORY` if the value is not kept, or the offset is not a whole number up to 0.
   */
  at(offset: number): number {
    return valueAt(this, offset);
  }

  get isReady(): boolean {
    return !Number.isNaN(this.value);
  }
}

/** Something with a present and a previous value, or a constant level. */
export type Line = { readonly value: number; readonly previous: number } | number;

/**
 * True on the candle where `fast` comes above `slow`: at or below before, above now. False while either has fewer than two values.
 *
 * @throws {DomainError} `E_INDICATOR_SOURCE` for something else than a line.
 */
export function crossedAbove(fast: Line, slow: Line): boolean {
  return previousOf(fast) <= previousOf(slow) && valueOf(fast) > valueOf(slow);
}

/**
 * True on the candle where `fast` comes below `slow`: at or above before, below now. False while either has fewer than two values.
 *
 * @throws {DomainError} `E_INDICATOR_SOURCE` for something else than a line.
 */
export function crossedBelow(fast: Line, slow: Line): boolean {
  return previousOf(fast) >= previousOf(slow) && valueOf(fast) < valueOf(slow);
}

function valueOf(line: Line): number {
  return typeof line === 'number' ? line : line.value;
}

function previousOf(line: Line): number {
  if (typeof line === 'number') return line;
  // A plugin in JavaScript may pass a member that its strategy does not have.
  const given = line as { readonly previous?: unknown } | null | undefined;
  const previous = given?.previous;
  if (typeof previous === 'number') return previous;
  throw new DomainError(
    'E_INDICATOR_SOURCE',
    `expected an indicator with one value, a line of one, or a number, received ${typeof given === 'object' && given !== null ? 'an object' : String(given)}`,
  );
}
