import type { Candle } from '../domain/index.js';
import { valueAt } from './value-history.js';

/** Which number of a candle an indicator reads. */
export type PriceSource = 'open' | 'high' | 'low' | 'close' | 'hl2' | 'hlc3' | 'ohlc4' | 'volume';

/** Fed with one closed candle at a time, in order. */
export interface AnyIndicator {
  /** Candles needed before the first value (TA-Lib's lookback): 9 for an average of 10. */
  readonly lookback: number;
  /**
   * Candles from its first value on until what it began from weighs less than 1e-9: 2,073 for an exponential average of 200. Infinite where it never
   * forgets, as a sum from the first candle on. @defaultValue 0, of one whose values depend on the last `lookback + 1` candles alone
   */
  readonly convergence?: number;
  update(candle: Candle): void;
}

/** {@link AnyIndicator.convergence}, also of one that states none. */
export function convergenceOfIndicator({ convergence = 0 }: AnyIndicator): number {
  return convergence;
}

/**
 * What the beginning of an indicator still weighs after so many candles, 0 to 1: 1 up to its first value, less than 1e-9 once it has converged. Between, it
 * falls by the same share with each candle, as that of an exponential average does; of a chain of averages that is about so.
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

  /** Computes the value after this candle; NaN while there is none. */
  protected abstract next(candle: Candle): number;

  update(candle: Candle): void {
    this.#previous = this.#value;
    this.#value = this.next(candle);
  }

  /**
   * The value so many candles back: at(0) is the newest, at(-1) the one before it. Of more than these two `keep` says how many there are:
   * `this.indicator(sma(10), { keep: 50 })`. NaN where there was no value.
   *
   * @throws {DomainError} `E_INDICATOR_HISTORY` for more than is kept.
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

/** True on the candle where `fast` comes above `slow`: at or below before, above now. False while either has fewer than two values. */
export function crossedAbove(fast: Line, slow: Line): boolean {
  return previousOf(fast) <= previousOf(slow) && valueOf(fast) > valueOf(slow);
}

/** True on the candle where `fast` comes below `slow`: at or above before, below now. False while either has fewer than two values. */
export function crossedBelow(fast: Line, slow: Line): boolean {
  return previousOf(fast) >= previousOf(slow) && valueOf(fast) < valueOf(slow);
}

function valueOf(line: Line): number {
  return typeof line === 'number' ? line : line.value;
}

function previousOf(line: Line): number {
  return typeof line === 'number' ? line : line.previous;
}
