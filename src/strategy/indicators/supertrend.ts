import type { Candle } from '../../domain/index.js';
import { declareParts } from '../calculation/precompute.js';
import { Indicator } from '../indicator.js';
import { atr } from './atr.js';
import { checkMultiplier } from './period.js';
import { SourceReader } from './source-reader.js';

/** Its value is the line, in quote: below price in an up trend, above it in a down trend. */
export interface Supertrend extends Indicator {
  /** Whether the trend is up; false before the first value. */
  readonly isUp: boolean;
}

class AtrSupertrend extends Indicator implements Supertrend {
  readonly lookback: number;
  override readonly convergence: number;
  isUp = false;
  readonly #range: Indicator;
  readonly #middle = new SourceReader('hl2');
  readonly #multiplier: number;
  #upper = Number.POSITIVE_INFINITY;
  #lower = Number.NEGATIVE_INFINITY;
  #close = Number.NaN;

  constructor(period: number, multiplier: number) {
    super();
    checkMultiplier(multiplier, 'multiplier');
    this.#range = atr(period);
    declareParts(this, [this.#range]);
    this.#multiplier = multiplier;
    this.lookback = this.#range.lookback;
    // The start still shows in the level of a band until the next turn. Its distance from price converges as the range does.
    this.convergence = this.#range.convergence;
  }

  protected override next(candle: Candle): number {
    this.#range.update(candle);
    if (!this.#range.isReady) return Number.NaN;
    const middle = this.#middle.read(candle);
    const distance = this.#multiplier * this.#range.value;
    // A band moves only toward price. After a close beyond it, it may move in both directions.
    const upper = middle + distance;
    if (upper < this.#upper || this.#close > this.#upper) this.#upper = upper;
    const lower = middle - distance;
    if (lower > this.#lower || this.#close < this.#lower) this.#lower = lower;
    this.#close = candle.close;
    const wasUp = this.isReady ? this.isUp : candle.close >= middle;
    this.isUp = wasUp ? candle.close >= this.#lower : candle.close > this.#upper;
    return this.isUp ? this.#lower : this.#upper;
  }
}

/**
 * Supertrend: a stop line `multiplier` average true ranges from the middle of the candle. The trend turns when a close crosses it. The
 * first trend is up if the close is in the upper half of its candle.
 *
 * TA-Lib has no Supertrend; the range is {@link atr}, seeded as TA-Lib's. Own code, because trading-signals seeds the range differently.
 * @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number from 1 to 1,000,000; `E_INDICATOR_MULTIPLIER`
 * unless `multiplier` is a finite number > 0.
 */
export function supertrend(period = 10, multiplier = 3): Supertrend {
  return new AtrSupertrend(period, multiplier);
}
