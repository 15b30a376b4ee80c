import type { Candle } from '../domain/index.js';
import { convergenceOfIndicator, type AnyIndicator } from './indicator.js';

/** What an indicator reads in place of prices. */
export interface ValueSource {
  readonly line: { readonly value: number };
  /** Candles before its first value. */
  readonly lookback: number;
  /** See {@link AnyIndicator.convergence}. */
  readonly convergence: number;
}

/**
 * Gives an indicator the values of a line in place of prices. It is given each candle after the indicator that the line is of; where the line has no
 * value, the indicator stays as it is.
 */
export class DerivedIndicator implements AnyIndicator {
  readonly lookback: number;
  readonly convergence: number;
  readonly #indicator: AnyIndicator;
  readonly #line: ValueSource['line'];

  constructor(indicator: AnyIndicator, { line, lookback, convergence }: ValueSource) {
    this.lookback = lookback + indicator.lookback;
    // One after the other is enough: what the line still errs by then falls further while the indicator forgets.
    this.convergence = convergence + convergenceOfIndicator(indicator);
    this.#indicator = indicator;
    this.#line = line;
  }

  update({ instrumentId, interval, openTime, closeTime, volume }: Candle): void {
    const { value } = this.#line;
    if (Number.isNaN(value)) return;
    this.#indicator.update({
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
