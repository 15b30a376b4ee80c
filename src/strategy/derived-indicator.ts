import type { Candle } from '../domain/index.js';
import { updatesOf, type Updated } from './engine-updates.js';
import { convergenceOfIndicator, type AnyIndicator } from './indicator.js';

/** A line that an indicator reads instead of prices. */
export interface ValueSource {
  readonly line: { readonly value: number };
  /** Candles before its first value. */
  readonly lookback: number;
  /** See {@link AnyIndicator.convergence}. */
  readonly convergence: number;
}

/**
 * Feeds an indicator with the values of a line instead of prices. It must be updated after the indicator that owns the line. While the line has no
 * value, the indicator is not updated.
 */
export class DerivedIndicator implements AnyIndicator {
  readonly lookback: number;
  readonly convergence: number;
  readonly #updated: Updated;
  readonly #line: ValueSource['line'];

  constructor(indicator: AnyIndicator, { line, lookback, convergence }: ValueSource) {
    this.lookback = lookback + indicator.lookback;
    // The sum is enough: the error that the line still has by then shrinks further while the indicator converges.
    this.convergence = convergence + convergenceOfIndicator(indicator);
    this.#updated = updatesOf(indicator);
    this.#line = line;
  }

  update({ instrumentId, interval, openTime, closeTime, volume }: Candle): void {
    const { value } = this.#line;
    if (Number.isNaN(value)) return;
    this.#updated.update({
      instrumentId,
      interval,
      openTime,
      closeTime,
      open: value,
      high: value,
      low: value,
      close: value,
      volume,
    });
  }
}
