import type { EpochMs, Fixed, Instrument, LimitOrderRequest } from '../../domain/index.js';
import { moneyOf } from '../accounts/money.js';
import type { HeldOrder, TradingAccount } from '../accounts/trading-account.js';
import type { InstrumentMarket } from '../instrument-market.js';
import type { PathPrice } from '../path/candle-path.js';
import type { DoubtfulLevel } from '../path/path-doubt.js';
import { PathLevel, type ReachSide } from '../path/path-level.js';
import { isMarketable } from './matching.js';

/** A LIMIT order in the venue's book. */
export class RestingOrder implements HeldOrder, DoubtfulLevel {
  readonly request: LimitOrderRequest;
  readonly market: InstrumentMarket;
  readonly instrument: Instrument;
  readonly account: TradingAccount;
  /** Rises with each order: a smaller number came first. */
  readonly sequence: number;
  /** Time of arrival. */
  readonly since: EpochMs;
  held: Fixed = 0n;
  needed: Fixed | undefined;
  remaining: Fixed;
  /**
   * Whether the order takes the available volume when a candle opens: it was marketable on arrival, and the path has not moved away from it since.
   * Otherwise it is a maker (DESIGN R5).
   */
  takes: boolean;
  /** The level that the path must reach for the order to fill: its limit, or one tick beyond (DESIGN R5). */
  readonly level: Fixed;
  readonly reachSide: ReachSide;
  readonly #halfSpread: Fixed;
  readonly #place: PathLevel;

  constructor(init: {
    readonly request: LimitOrderRequest;
    readonly market: InstrumentMarket;
    readonly account: TradingAccount;
    readonly sequence: number;
    readonly since: EpochMs;
    /** Whether the order was marketable on arrival. */
    readonly takes: boolean;
    readonly halfSpread: Fixed;
    /** How far beyond its limit the path must go. */
    readonly beyond: Fixed;
  }) {
    const { side, limitPrice, quantity } = init.request;
    const isBuy = side === 'buy';
    this.request = init.request;
    this.market = init.market;
    this.instrument = init.market.source.instrument;
    this.account = init.account;
    this.sequence = init.sequence;
    this.since = init.since;
    this.takes = init.takes;
    this.#halfSpread = init.halfSpread;
    this.remaining = quantity;
    this.level = isBuy ? limitPrice - init.beyond : limitPrice + init.beyond;
    this.reachSide = isBuy ? 'below' : 'above';
    this.#place = new PathLevel(init.market, this.level, this.reachSide);
  }

  get levelNumber(): number {
    return this.#place.levelNumber;
  }

  /** Call it with a price of the path since the order's arrival. If the order is not marketable at it, the order no longer takes. */
  meet(path: PathPrice): void {
    const { side, limitPrice } = this.request;
    if (this.takes) this.takes = isMarketable(side, limitPrice, path, this.#halfSpread);
  }

  /** Value of the order at its limit, in quote. */
  money(): Fixed {
    return moneyOf(this.instrument, this.request.quantity, this.request.limitPrice);
  }

  /** Whether the path may reach the level in the candle. `false` is certain. An order that takes fills only at opens. */
  get mayBeReached(): boolean {
    return !this.takes && this.#place.mayBeReached;
  }

  isReachedAt(price: PathPrice): boolean {
    return this.#place.isReachedAt(price);
  }

  /**
   * When the path reaches the level, from the market's cursor on. Undefined if it does not, or if no volume is left by then. Also undefined for an
   * order that takes, because it has used up the volume of the open candle.
   */
  reachTime(): EpochMs | undefined {
    if (this.takes) return undefined;
    const time = this.#place.reachTime();
    return time !== undefined && this.market.pool() === 0n ? undefined : time;
  }
}

/** The order in which orders of one instrument fill if the path reaches them at one instant: sells before buys, better price first, older first. */
export function compareReached(a: RestingOrder, b: RestingOrder): number {
  if (a.request.side !== b.request.side) return a.request.side === 'sell' ? -1 : 1;
  const { limitPrice } = a.request;
  if (limitPrice === b.request.limitPrice) return a.sequence - b.sequence;
  return (a.request.side === 'buy') === limitPrice > b.request.limitPrice ? -1 : 1;
}
