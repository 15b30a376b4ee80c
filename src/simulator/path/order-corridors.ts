import type { EpochMs } from '../../domain/index.js';
import type { InstrumentMarket } from '../instrument-market.js';
import type { RestingBook } from '../orders/resting-book.js';
import { PriceCorridor } from './price-corridor.js';

interface Corridor {
  readonly market: InstrumentMarket;
  readonly corridor: PriceCorridor;
}

/** Proves in advance until when no path reaches a resting order. */
export class OrderCorridors {
  readonly #corridors: readonly Corridor[];

  constructor(markets: Iterable<InstrumentMarket>) {
    this.#corridors = Array.from(markets, (market) => ({
      market,
      corridor: new PriceCorridor(market),
    }));
  }

  /**
   * Time until which none of the orders can fill, at most `limit`. It covers every candle that opens before. -Infinity while one of the orders takes,
   * because it fills with the next volume at any price.
   */
  provenUntil(book: RestingBook, limit: EpochMs): EpochMs {
    if (book.all.size === 0) return limit;
    if (book.takes) return Number.NEGATIVE_INFINITY;
    let until = limit;
    for (const { market, corridor } of this.#corridors) {
      const { low, high } = book.nearest(market);
      corridor.setLevels(low, high);
      until = Math.min(until, corridor.provenUntil(until));
    }
    return until;
  }
}
