import {
  absFixed,
  contractValue,
  floorToStep,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Direction,
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

/** A price at which the venue closes what is held of a direction. */
export interface LiquidationLevel {
  readonly direction: Direction;
  readonly level: Fixed;
}

/** What is known of one instrument when its candle's path is chosen. */
export interface GreedySituation {
  readonly instrument: Instrument;
  /** Base that is owned, on margin less what is owed; contracts held long. */
  readonly long: Fixed;
  /** Contracts held short. */
  readonly short: Fixed;
  readonly orders: readonly RestingOrder[];
  readonly stops: readonly WatchedStop[];
  readonly liquidations: readonly LiquidationLevel[];
  /** What orders may take of the candle; undefined without a limit. */
  readonly pool: Fixed | undefined;
  readonly step: Fixed;
  readonly fees: FeeRates;
  /** What has happened before this stays as it is. */
  readonly from: EpochMs;
  /** What an order at any price pays, or brings, where the path is at `price`. */
  readonly takerPrice: (side: Side, quantity: Fixed, price: PathPrice) => Fixed;
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
  readonly act: (account: TrialAccount) => void;
}

/** What the account has gained at the close, after everything that waits on the path has happened. At one instant stops act before orders. */
export function equityAtClose(path: CandlePath, situation: GreedySituation): Fixed {
  const account = new TrialAccount(situation);
  const orders = [...situation.orders].sort(compareReached);
  const happenings = [
    ...situation.liquidations.map((one) => leaveHappening(path, one, situation.from)),
    ...situation.stops.map((stop) => leaveHappening(path, stop, situation.from)),
    ...orders.map((order) => orderHappening(path, order, situation.from)),
  ].filter((happening) => happening !== undefined);
  // The sort is stable: equal times keep the order of the list.
  happenings.sort((a, b) => a.time - b.time);
  for (const { act } of happenings) act(account);
  return account.equityAt(path.shape.close);
}

function orderHappening(
  path: CandlePath,
  order: RestingOrder,
  from: EpochMs,
): Happening | undefined {
  const time = path.firstReach(order.level, order.reachSide, from);
  if (time === undefined) return undefined;
  return {
    time,
    act: (account) => {
      account.fill(order);
    },
  };
}

function leaveHappening(
  path: CandlePath,
  { direction, level }: LiquidationLevel,
  from: EpochMs,
): Happening | undefined {
  const time = path.firstReach(level, direction === 'long' ? 'below' : 'above', from);
  if (time === undefined) return undefined;
  return {
    time,
    act: (account) => {
      account.leave(direction, path.at(time));
    },
  };
}

/** What is held of one instrument while a path is tried out. */
class TrialAccount {
  readonly #situation: GreedySituation;
  readonly #isFutures: boolean;
  readonly #held: { long: Fixed; short: Fixed };
  readonly #hasLeft = { long: false, short: false };
  /** Quote; for contracts the margin asset. */
  #cash: Fixed = 0n;
  #pool: Fixed | undefined;

  constructor(situation: GreedySituation) {
    this.#situation = situation;
    this.#isFutures = situation.instrument.kind === 'futures';
    this.#held = { long: situation.long, short: situation.short };
    this.#pool = situation.pool;
  }

  equityAt(price: Fixed): Fixed {
    const { long, short } = this.#held;
    return this.#cash + this.#worth(long, price) - this.#worth(short, price);
  }

  /** In the asset in which it is settled; negative where it earns as its value falls. */
  #worth(quantity: Fixed, price: Fixed): Fixed {
    const { instrument } = this.#situation;
    if (instrument.kind !== 'futures') return multiplyFixed(quantity, price);
    const value = contractValue(instrument, quantity, price);
    return instrument.contract === 'linear' ? value : -value;
  }

  /** A stop withdraws the orders that would leave the same position, so nothing is closed after it. */
  fill({ request, remaining }: RestingOrder): void {
    const { side, action, limitPrice } = request;
    const closes = this.#isFutures ? action === 'close' : side === 'sell';
    const direction = (side === 'buy') !== (this.#isFutures && closes) ? 'long' : 'short';
    const left = this.#isFutures ? direction : 'long';
    if (closes && this.#hasLeft[left]) return;
    const { kind } = this.#situation.instrument;
    const wanted = closes && kind !== 'margin' ? minFixed(remaining, this.#held[left]) : remaining;
    this.#trade(side, { price: limitPrice, wanted, liquidity: 'maker', of: left });
  }

  leave(direction: Direction, price: PathPrice): void {
    const { step, takerPrice, instrument } = this.#situation;
    const held = this.#held[direction];
    const owed = direction === 'short' && instrument.kind === 'margin' ? -this.#held.long : held;
    const wanted = floorToStep(maxFixed(0n, owed), step);
    const side = direction === 'long' ? 'sell' : 'buy';
    const of = this.#isFutures ? direction : 'long';
    const taken = takerPrice(side, within(this.#pool, wanted), price);
    this.#trade(side, { price: taken, wanted, liquidity: 'taker', of });
    this.#hasLeft[of] = true;
  }

  #trade(
    side: Side,
    terms: {
      readonly price: Fixed;
      readonly wanted: Fixed;
      readonly liquidity: Liquidity;
      /** Which holding it changes: bought adds to long and takes from short. */
      readonly of: Direction;
    },
  ): void {
    const { price, wanted, liquidity, of } = terms;
    const quantity = within(this.#pool, wanted);
    if (quantity <= 0n) return;
    if (this.#pool !== undefined) this.#pool -= quantity;
    this.#held[of] += (side === 'buy') === (of === 'long') ? quantity : -quantity;
    const worth = this.#worth(quantity, price);
    this.#cash += side === 'buy' ? -worth : worth;
    this.#pay(side, { price, quantity, liquidity });
  }

  #pay(
    side: Side,
    terms: { readonly price: Fixed; readonly quantity: Fixed; readonly liquidity: Liquidity },
  ): void {
    const { instrument, fees } = this.#situation;
    const { price, quantity, liquidity } = terms;
    if (this.#isFutures) {
      const rate = liquidity === 'maker' ? fees.maker : fees.taker;
      this.#cash -= multiplyFixed(absFixed(this.#worth(quantity, price)), rate);
      return;
    }
    const { fee, feeAsset } = spotFee(fees, side, { instrument, liquidity, price, quantity });
    if (feeAsset === instrument.base) this.#held.long -= fee;
    else this.#cash -= fee;
  }
}
