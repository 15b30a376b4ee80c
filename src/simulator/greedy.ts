import {
  floorToStep,
  minFixed,
  multiplyFixed,
  type EpochMs,
  type FeeRates,
  type Fixed,
  type Instrument,
  type Liquidity,
  type Side,
} from '../domain/index.js';
import {
  CandlePath,
  nearestOrder,
  type CandleShape,
  type ExtremeOrder,
  type PathPrice,
} from './candle-path.js';
import { spotFee } from './models/fee.js';
import type { WatchedStop } from './path-doubt.js';
import { within } from './matching.js';
import { compareReached, type RestingOrder } from './resting-order.js';

/** What is known of one instrument when its candle's path is chosen. */
export interface GreedySituation {
  readonly instrument: Instrument;
  readonly base: Fixed;
  readonly quote: Fixed;
  readonly orders: readonly RestingOrder[];
  readonly stops: readonly WatchedStop[];
  /** What orders may take of the candle; undefined without a limit. */
  readonly pool: Fixed | undefined;
  readonly step: Fixed;
  readonly fees: FeeRates;
  /** What has happened before this stays as it is. */
  readonly from: EpochMs;
  /** What a sale at any price brings where the path is at `price`. */
  readonly takerPrice: (quantity: Fixed, price: PathPrice) => Fixed;
}

/**
 * Chooses the order of the extremes that leaves less, or more, equity at the candle's close (DESIGN R16).
 *
 * The equity compared is what the resting orders and the engine's stops alone would make of each path; what a strategy would do in
 * answer cannot be known before it happens, and is not guessed. Equal outcomes take the nearest extreme first.
 */
export function chooseGreedyOrder(
  shape: CandleShape,
  situation: GreedySituation,
  preference: 'less' | 'more',
): ExtremeOrder {
  const nearest = nearestOrder(shape);
  const other: ExtremeOrder = nearest === 'high-first' ? 'low-first' : 'high-first';
  const nearestEquity = equityAtClose(new CandlePath(shape, nearest), situation);
  const otherEquity = equityAtClose(new CandlePath(shape, other), situation);
  const prefersOther =
    preference === 'less' ? otherEquity < nearestEquity : otherEquity > nearestEquity;
  return prefersOther ? other : nearest;
}

interface Happening {
  readonly time: EpochMs;
  readonly act: (account: Account) => void;
}

/** Quote plus base at the close, after everything that waits on the path has happened. At one instant stops act before orders. */
export function equityAtClose(path: CandlePath, situation: GreedySituation): Fixed {
  const account = new Account(situation);
  const orders = [...situation.orders].sort(compareReached);
  const happenings = [
    ...situation.stops.map((stop) => stopHappening(path, stop, situation.from)),
    ...orders.map((order) => orderHappening(path, order, situation.from)),
  ].filter((happening) => happening !== undefined);
  // The sort is stable: equal times keep the order of the list.
  happenings.sort((a, b) => a.time - b.time);
  for (const { act } of happenings) act(account);
  return account.quote + multiplyFixed(account.base, path.shape.close);
}

function orderHappening(
  path: CandlePath,
  order: RestingOrder,
  from: EpochMs,
): Happening | undefined {
  const time = path.firstReach(order.level, order.reachSide, from);
  if (time === undefined) return undefined;
  const { side, limitPrice } = order.request;
  return {
    time,
    act: (account) => {
      account.trade(side, limitPrice, order.remaining, 'maker');
    },
  };
}

function stopHappening(
  path: CandlePath,
  { direction, level }: WatchedStop,
  from: EpochMs,
): Happening | undefined {
  // Spot holds long only.
  if (direction === 'short') return undefined;
  const time = path.firstReach(level, 'below', from);
  if (time === undefined) return undefined;
  return {
    time,
    act: (account) => {
      account.leave(path.at(time));
    },
  };
}

/** Balances of one instrument while a path is tried out. */
class Account {
  base: Fixed;
  quote: Fixed;
  #pool: Fixed | undefined;
  #hasLeft = false;
  readonly #situation: GreedySituation;

  constructor(situation: GreedySituation) {
    this.#situation = situation;
    this.base = situation.base;
    this.quote = situation.quote;
    this.#pool = situation.pool;
  }

  /** A stop withdraws the sales that rest, so nothing is sold after it. */
  trade(side: Side, price: Fixed, wanted: Fixed, liquidity: Liquidity): void {
    if (side === 'sell' && this.#hasLeft) return;
    const { instrument, fees } = this.#situation;
    const quantity = within(this.#pool, side === 'sell' ? minFixed(wanted, this.base) : wanted);
    if (quantity === 0n) return;
    if (this.#pool !== undefined) this.#pool -= quantity;
    const value = multiplyFixed(price, quantity);
    const fee = spotFee(fees, { instrument, side, liquidity, price, quantity });
    this.base += side === 'buy' ? quantity : -quantity;
    this.quote += side === 'buy' ? -value : value;
    if (fee.asset === instrument.base) this.base -= fee.amount;
    else this.quote -= fee.amount;
  }

  leave(price: PathPrice): void {
    const { step, takerPrice } = this.#situation;
    const quantity = within(this.#pool, floorToStep(this.base, step));
    this.trade('sell', takerPrice(quantity, price), quantity, 'taker');
    this.#hasLeft = true;
  }
}
