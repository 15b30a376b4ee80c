import { Ranking } from '../../domain/index.js';
import type { RestingOrder } from '../orders/resting-order.js';

/** Levels of the orders of one market, by the side on which its path reaches them. */
export class NearestLevels {
  /** The highest first. */
  readonly #below: Ranking<RestingOrder>;
  /** The lowest first. */
  readonly #above: Ranking<RestingOrder>;

  constructor(rests: (order: RestingOrder) => boolean) {
    this.#below = new Ranking((one, other) => one.levelNumber > other.levelNumber, rests);
    this.#above = new Ranking((one, other) => one.levelNumber < other.levelNumber, rests);
  }

  add(order: RestingOrder): void {
    (order.reachSide === 'below' ? this.#below : this.#above).add(order);
  }

  /** The nearest levels on both sides: the path reaches no resting order while it stays between them. */
  find(): { readonly low: number; readonly high: number } {
    return {
      low: this.#below.first()?.levelNumber ?? Number.NEGATIVE_INFINITY,
      high: this.#above.first()?.levelNumber ?? Number.POSITIVE_INFINITY,
    };
  }
}
