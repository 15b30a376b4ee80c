import type { EpochMs } from '../domain/index.js';
import type { MarketTape } from './market-tape.js';
import { PriceCorridor } from './price-corridor.js';
import type { RestingOrder } from './resting-order.js';

interface Levels {
  readonly tape: MarketTape;
  readonly corridor: PriceCorridor;
  low: number;
  high: number;
}

/** Tells ahead until when no path comes to an order that rests. */
export class OrderCorridors {
  readonly #levels: readonly Levels[];

  constructor(tapes: Iterable<MarketTape>) {
    this.#levels = Array.from(tapes, (tape) => ({
      tape,
      corridor: new PriceCorridor(tape),
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

  #levelsOf({ tape }: RestingOrder): Levels {
    for (const levels of this.#levels) if (levels.tape === tape) return levels;
    throw new RangeError('expected an order on one of the tapes, received another');
  }
}
