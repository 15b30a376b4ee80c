import type { EpochMs } from '../domain/index.js';
import type { InstrumentMarket } from './instrument-market.js';
import { PriceCorridor } from './price-corridor.js';
import type { RestingOrder } from './resting-order.js';

interface Levels {
  readonly market: InstrumentMarket;
  readonly corridor: PriceCorridor;
  low: number;
  high: number;
}

/** Tells ahead until when no path comes to an order that rests. */
export class OrderCorridors {
  readonly #levels: readonly Levels[];

  constructor(markets: Iterable<InstrumentMarket>) {
    this.#levels = Array.from(markets, (market) => ({
      market,
      corridor: new PriceCorridor(market),
      low: Number.NEGATIVE_INFINITY,
      high: Number.POSITIVE_INFINITY,
    }));
  }

  /**
   * Up to when none of the orders can fill, `limit` at most; known of every candle that opens before. Never when one of them takes: it fills
   * with the next volume there is, at whatever price.
   */
  provenUntil(orders: ReadonlySet<RestingOrder>, limit: EpochMs): EpochMs {
    if (orders.size === 0) return limit;
    for (const levels of this.#levels) {
      levels.low = Number.NEGATIVE_INFINITY;
      levels.high = Number.POSITIVE_INFINITY;
    }
    for (const order of orders) {
      if (order.takes) return Number.NEGATIVE_INFINITY;
      const levels = this.#levelsOf(order);
      const { levelNumber } = order;
      if (order.reachSide === 'below') levels.low = Math.max(levels.low, levelNumber);
      else levels.high = Math.min(levels.high, levelNumber);
    }
    let until = limit;
    for (const { corridor, low, high } of this.#levels) {
      corridor.setLevels(low, high);
      until = Math.min(until, corridor.provenUntil(until));
    }
    return until;
  }

  #levelsOf({ market }: RestingOrder): Levels {
    for (const levels of this.#levels) if (levels.market === market) return levels;
    throw new RangeError('the order is on none of the markets');
  }
}
