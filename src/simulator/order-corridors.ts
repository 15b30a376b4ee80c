import type { EpochMs } from '../domain/index.js';
import type { InstrumentMarket } from './instrument-market.js';
import { PriceCorridor } from './price-corridor.js';
import type { RestingBook } from './resting-book.js';

interface Corridor {
  readonly market: InstrumentMarket;
  readonly corridor: PriceCorridor;
}

/** Tells ahead until when no path comes to an order that rests. */
export class OrderCorridors {
  readonly #corridors: readonly Corridor[];

  constructor(markets: Iterable<InstrumentMarket>) {
    this.#corridors = Array.from(markets, (market) => ({
      market,
      corridor: new PriceCorridor(market),
    }));
  }

  /**
   * Up to when none of the orders can fill, `limit` at most; known of every candle that opens before. Never when one of them takes: it fills
   * with the next volume there is, at whatever price.
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
