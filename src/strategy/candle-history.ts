import { type Candle, DomainError, nounOf } from '../domain/index.js';
import type { AnyIndicator } from './indicator.js';
import { checkKept, checkOffset } from './value-history.js';

/** The last candles of a stream, the newest included. */
export interface RecentCandles {
  /** Number of candles present: the requested number once the strategy is warm, fewer before. */
  readonly length: number;
  /** Oldest first, newest last. Each read makes a new list. */
  readonly list: readonly Candle[];
  /**
   * Returns an earlier candle: at(0) is the newest, at(-1) the candle before it.
   *
   * @throws {DomainError} `E_INDICATOR_HISTORY` if the candle is not kept or has not come yet, or the offset is not a whole number up to 0.
   */
  at(offset: number): Candle;
}

/** Keeps the last candles that it is given. */
export class CandleHistory implements AnyIndicator, RecentCandles {
  readonly lookback: number;
  readonly #kept: number;
  readonly #candles: Candle[] = [];
  /** Index of the oldest candle once the list is full: the next candle replaces it. */
  #oldest = 0;

  constructor(kept: number) {
    checkKept(kept, 'the number of candles');
    this.#kept = kept;
    this.lookback = kept - 1;
  }

  update(candle: Candle): void {
    if (this.#candles.length < this.#kept) {
      this.#candles.push(candle);
      return;
    }
    this.#candles[this.#oldest] = candle;
    this.#oldest = this.#oldest + 1 === this.#kept ? 0 : this.#oldest + 1;
  }

  get length(): number {
    return this.#candles.length;
  }

  get list(): readonly Candle[] {
    return [...this.#candles.slice(this.#oldest), ...this.#candles.slice(0, this.#oldest)];
  }

  at(offset: number): Candle {
    const { length } = this.#candles;
    const place = this.#oldest + length - 1 - checkOffset(offset);
    const candle = this.#candles[place < length ? place : place - length];
    if (candle !== undefined && -offset < length) return candle;
    const problem =
      -offset < this.#kept
        ? `there ${nounOf(length, 'is', 'are')} ${String(length)} ${nounOf(length, 'candle')} yet`
        : `write this.candles(${String(1 - offset)})`;
    throw new DomainError(
      'E_INDICATOR_HISTORY',
      `at(${String(offset)}) is farther back than the ${String(this.#kept)} ${nounOf(this.#kept, 'candle that is', 'candles that are')} kept: ${problem}`,
    );
  }
}
