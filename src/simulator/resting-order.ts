import {
  fixedToNumber,
  type EpochMs,
  type Fixed,
  type Instrument,
  type LimitOrderRequest,
} from '../domain/index.js';
import { isAtOrBeyond, type PathPrice } from './candle-path.js';
import type { MarketTape } from './market-tape.js';
import { moneyOf } from './money.js';
import type { DoubtfulLevel } from './path-doubt.js';
import type { HeldOrder, TradingAccount } from './trading-account.js';

/** A LIMIT order in the venue's book. */
export class RestingOrder implements HeldOrder, DoubtfulLevel {
  readonly request: LimitOrderRequest;
  readonly tape: MarketTape;
  readonly account: TradingAccount;
  /** Rises with each order: the smaller came first. */
  readonly sequence: number;
  /** The path has to come here for the order to fill: its limit, or one tick beyond (DESIGN R5). */
  readonly level: Fixed;
  readonly reachSide: 'below' | 'above';
  held: Fixed = 0n;
  remaining: Fixed;
  /** The level as float64; made when it is first asked for, which is never for an order that fills on arrival. */
  #levelNumber: number | undefined;
  /** When the path of the candle comes to the level; worked out once per candle. */
  #reach: { readonly openTime: EpochMs; readonly time: EpochMs | undefined } | undefined;

  constructor(init: {
    readonly request: LimitOrderRequest;
    readonly tape: MarketTape;
    readonly account: TradingAccount;
    readonly sequence: number;
    /** How far beyond its limit the path has to go. */
    readonly beyond: Fixed;
  }) {
    const { side, limitPrice, quantity } = init.request;
    const isBuy = side === 'buy';
    this.request = init.request;
    this.tape = init.tape;
    this.account = init.account;
    this.sequence = init.sequence;
    this.level = isBuy ? limitPrice - init.beyond : limitPrice + init.beyond;
    this.reachSide = isBuy ? 'below' : 'above';
    this.remaining = quantity;
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
    this.#levelNumber ??= fixedToNumber(this.level);
    return this.tape.mayReach(this.#levelNumber, this.reachSide);
  }

  isReachedAt(price: PathPrice): boolean {
    return isAtOrBeyond(price, this.level, this.reachSide);
  }

  /** When, from where the tape stands, its path comes to the level; undefined when it does not, or no volume is left by then. */
  reachTime(): EpochMs | undefined {
    const { tape } = this;
    if (!tape.isOpen) return undefined;
    const { openTime } = tape;
    if (this.#reach?.openTime !== openTime) {
      const time = this.mayBeReached
        ? tape.path().firstReach(this.level, this.reachSide, Math.max(tape.cursor, openTime))
        : undefined;
      this.#reach = { openTime, time };
    }
    return this.#reach.time !== undefined && tape.pool() === 0n ? undefined : this.#reach.time;
  }
}

/** The order in which orders of one instrument fill that one instant reaches: sells before buys, better price, older. */
export function compareReached(a: RestingOrder, b: RestingOrder): number {
  if (a.request.side !== b.request.side) return a.request.side === 'sell' ? -1 : 1;
  const { limitPrice } = a.request;
  if (limitPrice === b.request.limitPrice) return a.sequence - b.sequence;
  return (a.request.side === 'buy') === limitPrice > b.request.limitPrice ? -1 : 1;
}
