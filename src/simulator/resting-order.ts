import type { EpochMs, Fixed, Instrument, LimitOrderRequest } from '../domain/index.js';
import type { PathPrice } from './candle-path.js';
import type { InstrumentMarket } from './instrument-market.js';
import { isMarketable } from './matching.js';
import { moneyOf } from './money.js';
import type { DoubtfulLevel } from './path-doubt.js';
import { PathLevel, type ReachSide } from './path-level.js';
import type { HeldOrder, TradingAccount } from './trading-account.js';

/** A LIMIT order in the venue's book. */
export class RestingOrder implements HeldOrder, DoubtfulLevel {
  readonly request: LimitOrderRequest;
  readonly account: TradingAccount;
  /** Rises with each order: the smaller came first. */
  readonly sequence: number;
  /** When it arrived. */
  readonly since: EpochMs;
  held: Fixed = 0n;
  needed: Fixed | undefined;
  remaining: Fixed;
  #takes: boolean;
  readonly #halfSpread: Fixed;
  readonly #place: PathLevel;

  constructor(init: {
    readonly request: LimitOrderRequest;
    readonly market: InstrumentMarket;
    readonly account: TradingAccount;
    readonly sequence: number;
    readonly since: EpochMs;
    /** Whether it was marketable on arrival. */
    readonly takes: boolean;
    readonly halfSpread: Fixed;
    /** How far beyond its limit the path has to go. */
    readonly beyond: Fixed;
  }) {
    const { side, limitPrice, quantity } = init.request;
    const isBuy = side === 'buy';
    this.request = init.request;
    this.account = init.account;
    this.sequence = init.sequence;
    this.since = init.since;
    this.#takes = init.takes;
    this.#halfSpread = init.halfSpread;
    this.remaining = quantity;
    this.#place = new PathLevel(
      init.market,
      isBuy ? limitPrice - init.beyond : limitPrice + init.beyond,
      isBuy ? 'below' : 'above',
    );
  }

  get market(): InstrumentMarket {
    return this.#place.market;
  }

  /** The path has to come here for the order to fill: its limit, or one tick beyond (DESIGN R5). */
  get level(): Fixed {
    return this.#place.level;
  }

  get levelNumber(): number {
    return this.#place.levelNumber;
  }

  get reachSide(): ReachSide {
    return this.#place.side;
  }

  get instrument(): Instrument {
    return this.market.source.instrument;
  }

  /**
   * Whether it takes what volume there is when a candle opens: it was marketable on arrival, and the path has not left it behind since. Else
   * it is a maker (DESIGN R5).
   */
  get takes(): boolean {
    return this.#takes;
  }

  /** The path is, or has been, here since it arrived: it has left the order behind where that would not be marketable. */
  meet(path: PathPrice): void {
    const { side, limitPrice } = this.request;
    if (this.#takes) this.#takes = isMarketable(side, limitPrice, path, this.#halfSpread);
  }

  /** What it would trade at its limit, in quote. */
  money(): Fixed {
    return moneyOf(this.instrument, this.request.quantity, this.request.limitPrice);
  }

  /** Whether the path comes to the level in the candle; never wrong when it says no. An order that takes fills at opens alone. */
  get mayBeReached(): boolean {
    return !this.#takes && this.#place.mayBeReached;
  }

  isReachedAt(price: PathPrice): boolean {
    return this.#place.isReachedAt(price);
  }

  /**
   * When, from where the market stands, its path comes to the level; undefined when it does not, or no volume is left by then. An order that takes
   * has found the volume of the open candle used up.
   */
  reachTime(): EpochMs | undefined {
    if (this.#takes) return undefined;
    const time = this.#place.reachTime();
    return time !== undefined && this.market.pool() === 0n ? undefined : time;
  }
}

/** The order in which orders of one instrument fill that one instant reaches: sells before buys, better price, older. */
export function compareReached(a: RestingOrder, b: RestingOrder): number {
  if (a.request.side !== b.request.side) return a.request.side === 'sell' ? -1 : 1;
  const { limitPrice } = a.request;
  if (limitPrice === b.request.limitPrice) return a.sequence - b.sequence;
  return (a.request.side === 'buy') === limitPrice > b.request.limitPrice ? -1 : 1;
}
