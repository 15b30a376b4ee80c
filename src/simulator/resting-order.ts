import type { EpochMs, Fixed, Instrument, LimitOrderRequest } from '../domain/index.js';
import type { PathPrice } from './candle-path.js';
import type { MarketTape } from './market-tape.js';
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
  readonly #place: PathLevel;

  constructor(init: {
    readonly request: LimitOrderRequest;
    readonly tape: MarketTape;
    readonly account: TradingAccount;
    readonly sequence: number;
    readonly since: EpochMs;
    /** How far beyond its limit the path has to go. */
    readonly beyond: Fixed;
  }) {
    const { side, limitPrice, quantity } = init.request;
    const isBuy = side === 'buy';
    this.request = init.request;
    this.account = init.account;
    this.sequence = init.sequence;
    this.since = init.since;
    this.remaining = quantity;
    this.#place = new PathLevel(
      init.tape,
      isBuy ? limitPrice - init.beyond : limitPrice + init.beyond,
      isBuy ? 'below' : 'above',
    );
  }

  get tape(): MarketTape {
    return this.#place.tape;
  }

  /** The path has to come here for the order to fill: its limit, or one tick beyond (DESIGN R5). */
  get level(): Fixed {
    return this.#place.level;
  }

  get reachSide(): ReachSide {
    return this.#place.side;
  }

  get instrument(): Instrument {
    return this.tape.source.instrument;
  }

  /** What it would trade at its limit, in quote. */
  money(): Fixed {
    return moneyOf(this.instrument, this.request.quantity, this.request.limitPrice);
  }

  /** Whether the path comes to the level in the candle; never wrong when it says no. */
  get mayBeReached(): boolean {
    return this.#place.mayBeReached;
  }

  isReachedAt(price: PathPrice): boolean {
    return this.#place.isReachedAt(price);
  }

  /** When, from where the tape stands, its path comes to the level; undefined when it does not, or no volume is left by then. */
  reachTime(): EpochMs | undefined {
    const time = this.#place.reachTime();
    return time !== undefined && this.tape.pool() === 0n ? undefined : time;
  }
}

/** The order in which orders of one instrument fill that one instant reaches: sells before buys, better price, older. */
export function compareReached(a: RestingOrder, b: RestingOrder): number {
  if (a.request.side !== b.request.side) return a.request.side === 'sell' ? -1 : 1;
  const { limitPrice } = a.request;
  if (limitPrice === b.request.limitPrice) return a.sequence - b.sequence;
  return (a.request.side === 'buy') === limitPrice > b.request.limitPrice ? -1 : 1;
}
