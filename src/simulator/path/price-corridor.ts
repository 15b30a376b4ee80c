import type { EpochMs } from '../../domain/index.js';
import type { InstrumentMarket } from '../instrument-market.js';
import { RowScan } from './row-scan.js';

/**
 * The prices of one instrument between two levels at which something happens. A candle that stays between them may pass without a look at its path.
 * Levels are float64, at least one unit of 10^-18 outside of the exact ones, so a candle that is found to stay between them
 * really does.
 */
export class PriceCorridor {
  readonly #market: InstrumentMarket;
  readonly #scan: RowScan;
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;

  constructor(market: InstrumentMarket) {
    this.#market = market;
    this.#scan = new RowScan(market.candles);
  }

  /** Something happens at or below `low`, and at or above `high`. Infinite values mean no level. */
  setLevels(low: number, high: number): void {
    if (low === this.#low && high === this.#high) return;
    this.#low = low;
    this.#high = high;
    this.#scan.restart();
  }

  /** Time until which no candle touches a level, at most `limit`. It covers every candle that opens before. */
  provenUntil(limit: EpochMs): EpochMs {
    if (this.#low === Number.NEGATIVE_INFINITY && this.#high === Number.POSITIVE_INFINITY)
      return limit;
    const { cursor } = this.#market;
    if (this.#scan.staysBetween(this.#low, this.#high, cursor, limit)) return limit;
    return this.#scan.seenUntil;
  }
}
