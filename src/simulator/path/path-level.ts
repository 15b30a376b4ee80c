import { fixedToNumber, type EpochMs, type Fixed } from '../../domain/index.js';
import type { InstrumentMarket } from '../instrument-market.js';
import { isAtOrBeyond, type PathPrice } from './candle-path.js';

/** The side on which the path reaches a level: `below` means at or below it. */
export type ReachSide = 'below' | 'above';

/** A price level on one market, and when the path reaches it. */
export class PathLevel {
  readonly market: InstrumentMarket;
  readonly level: Fixed;
  readonly side: ReachSide;
  /** Computed at the first use; never for an order that fills on arrival. */
  #levelNumber: number | undefined;
  /** When the path of the candle reaches the level; computed once per candle. */
  #reach: { readonly openTime: EpochMs; readonly time: EpochMs | undefined } | undefined;

  constructor(market: InstrumentMarket, level: Fixed, side: ReachSide) {
    this.market = market;
    this.level = level;
    this.side = side;
  }

  /**
   * Beyond this float64 no stored price is at the level: it is moved outward by one unit of 10^-18. Paths round a stored price to 18 decimals, and a small one
   * may have more, such as 0.000052780000000000006.
   */
  get levelNumber(): number {
    return (this.#levelNumber ??= fixedToNumber(this.level + (this.side === 'below' ? 1n : -1n)));
  }

  /** Whether the path may reach the level in the candle. `false` is certain. */
  get mayBeReached(): boolean {
    return this.market.mayReach(this.levelNumber, this.side);
  }

  isReachedAt(price: PathPrice): boolean {
    return isAtOrBeyond(price, this.level, this.side);
  }

  /** When the path reaches the level in the open candle, from the market's cursor on; undefined if it does not. */
  reachTime(): EpochMs | undefined {
    const { market } = this;
    if (!market.isOpen) return undefined;
    const { openTime } = market;
    if (this.#reach?.openTime !== openTime) {
      const time = this.mayBeReached
        ? market.path().firstReach(this.level, this.side, Math.max(market.cursor, openTime))
        : undefined;
      this.#reach = { openTime, time };
    }
    return this.#reach.time;
  }
}
