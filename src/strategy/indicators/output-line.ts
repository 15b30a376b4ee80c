import { valueAt } from '../value-history.js';

/** One of the lines of an indicator with several lines. It may be passed as a {@link Line}. */
export interface IndicatorLine {
  /** NaN before the first value. */
  readonly value: number;
  /** The value one candle earlier; NaN before the second value. */
  readonly previous: number;
  readonly isReady: boolean;
  /** Returns an earlier value; see {@link Indicator.at}. */
  at(offset: number): number;
}

/** The writable side of a line, for the indicator that owns it. */
export class OutputLine implements IndicatorLine {
  value = Number.NaN;
  previous = Number.NaN;

  /** To be called once per candle, with NaN while there is no value. */
  push(value: number): void {
    this.previous = this.value;
    this.value = value;
  }

  at(offset: number): number {
    return valueAt(this, offset);
  }

  get isReady(): boolean {
    return !Number.isNaN(this.value);
  }
}
