import {
  divideFixed,
  multiplyFixed,
  shareFixed,
  type Asset,
  type ClientOrderId,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type Liquidity,
  type PositionAction,
  type VenueOrderId,
} from '../../domain/index.js';
import type { VenueOrder, VenueTrade } from '../../venue/index.js';
import { compareIds } from './own-trades.js';

/** An order of ours whose executions are wanted. */
export interface OwnOrder {
  readonly clientOrderId: ClientOrderId;
  readonly venueOrderId: VenueOrderId;
  readonly instrumentId: InstrumentId;
  readonly action: PositionAction;
  /** In what its fees are paid where a trade does not say (futures: the margin asset). */
  readonly feeAsset: Asset;
}

/** A fill that was told before; without a trade it may stand for several, as a sum does. */
export type ToldFill = Pick<FillRecord, 'price' | 'quantity' | 'venueTradeId'>;

/** What a venue charges for an execution that it reports only as a sum. */
export type EstimateFee = (execution: {
  readonly order: OwnOrder;
  readonly price: Fixed;
  readonly quantity: Fixed;
}) => { readonly fee: Fixed; readonly feeAsset: Asset; readonly liquidity: Liquidity };

interface Account {
  readonly order: OwnOrder;
  /** Of fills that were given out. */
  quantity: Fixed;
  notional: Fixed;
  /** Of trades that were taken in. */
  traded: Fixed;
  /** Newest trade that a process before has told of. Trades are read in the order of their ids: older ones are told, too. */
  readonly last: string | undefined;
}

/** Of orders that have ended, how many of the last an instrument's later executions are known by. */
const KEPT_ORDERS = 1_000;
/** Trades that are known again. Their ids rise from one reading to the next, so that only the last can be read twice. */
const KEPT_TRADES = 10_000;

/**
 * Turns trades and cumulative quantities of our orders into fills, each execution exactly once, in whatever order the two arrive.
 *
 * Trades are exact and go first. A cumulative quantity that trades do not explain can be booked with {@link book}; trades that come later
 * and explain it are then taken as told already. Trades of orders that are not known yet wait for them: an answer with the order's id may
 * come after its trade.
 */
export class FillBook {
  readonly #accounts = new Map<string, Account>();
  readonly #waiting = new Map<string, VenueTrade[]>();
  readonly #seen = new Set<string>();
  /** Orders that have ended, the oldest first, by instrument. */
  readonly #ended = new Map<InstrumentId, Set<string>>();

  /** Makes an order known. Returns fills of trades that came before it. */
  register(order: OwnOrder): readonly FillRecord[] {
    return this.restore(order, []);
  }

  /**
   * Makes an order known of which fills were told before, by a process that has ended: `told` are those of it, in their order. None is
   * told twice, whether its trades are read again or not. Returns fills of trades that are new.
   */
  restore(order: OwnOrder, told: readonly ToldFill[]): readonly FillRecord[] {
    const key = keyOf(order.instrumentId, order.venueOrderId);
    if (this.#accounts.has(key)) return [];
    this.#accounts.set(key, accountOf(order, told));
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return waiting.flatMap((trade) => this.#apply(trade));
  }

  /** Takes trades as they were read, also again. Returns what is new of them. */
  take(trades: readonly VenueTrade[]): readonly FillRecord[] {
    return trades.flatMap((trade) => {
      const id = keyOf(trade.instrumentId, trade.venueTradeId);
      if (this.#seen.has(id)) return [];
      this.#seen.add(id);
      return this.#apply(trade);
    });
  }

  /** An order has ended, and all of it was told. */
  end({ instrumentId, venueOrderId }: Pick<OwnOrder, 'instrumentId' | 'venueOrderId'>): void {
    const ended = this.#ended.get(instrumentId) ?? new Set();
    ended.add(keyOf(instrumentId, venueOrderId));
    this.#ended.set(instrumentId, ended);
  }

  /** Forgets what is of no more use once the trades of an instrument have been read to the newest. */
  forget(instrumentId: InstrumentId): void {
    const ended = this.#ended.get(instrumentId);
    for (const key of oldest(ended, KEPT_ORDERS)) {
      ended?.delete(key);
      this.#accounts.delete(key);
    }
    for (const key of oldest(this.#seen, KEPT_TRADES)) this.#seen.delete(key);
  }

  /** Whether an order is one of ours. */
  knows({
    instrumentId,
    venueOrderId,
  }: Pick<VenueOrder, 'instrumentId' | 'venueOrderId'>): boolean {
    return this.#accounts.has(keyOf(instrumentId, venueOrderId));
  }

  /** What an order has filled that no fill has told of: its trades have to be read. 0 for orders that are not known. */
  unexplained({ instrumentId, venueOrderId, filledQuantity }: VenueOrder): Fixed {
    const account = this.#accounts.get(keyOf(instrumentId, venueOrderId));
    const missing = account === undefined ? 0n : filledQuantity - account.quantity;
    return missing > 0n ? missing : 0n;
  }

  /**
   * Tells of what an order has filled and no trade explains, as one fill at the average price of it. For venues that do not serve the
   * trades of an order that has ended; its fee is an estimate, and its time when the sum was read.
   */
  book(
    venueOrder: VenueOrder,
    { estimateFee, at }: { readonly estimateFee: EstimateFee; readonly at: EpochMs },
  ): readonly FillRecord[] {
    const account = this.#accounts.get(keyOf(venueOrder.instrumentId, venueOrder.venueOrderId));
    const quantity = this.unexplained(venueOrder);
    const { averagePrice, filledQuantity } = venueOrder;
    if (account === undefined || quantity === 0n || averagePrice === undefined) return [];
    const notional = multiplyFixed(averagePrice, filledQuantity) - account.notional;
    const price = divideFixed(notional, quantity);
    const { order } = account;
    account.quantity += quantity;
    account.notional += notional;
    return [
      {
        clientOrderId: order.clientOrderId,
        instrumentId: order.instrumentId,
        side: venueOrder.side,
        action: order.action,
        price,
        quantity,
        ...estimateFee({ order, price, quantity }),
        eventTime: at,
      },
    ];
  }

  /** Trades of orders that nobody has made known: external, or of an order whose id is still on its way. */
  get foreign(): readonly VenueTrade[] {
    return [...this.#waiting.values()].flat();
  }

  /** A trade that was told of otherwise, also by a process that has ended: it is nobody's any more, and is not taken again. */
  settle({ instrumentId, venueTradeId }: Pick<VenueTrade, 'instrumentId' | 'venueTradeId'>): void {
    this.#seen.add(keyOf(instrumentId, venueTradeId));
    for (const [key, trades] of this.#waiting) {
      const left = trades.filter(
        (trade) => trade.instrumentId !== instrumentId || trade.venueTradeId !== venueTradeId,
      );
      if (left.length === 0) this.#waiting.delete(key);
      else if (left.length < trades.length) this.#waiting.set(key, left);
    }
  }

  #apply(trade: VenueTrade): readonly FillRecord[] {
    const key = keyOf(trade.instrumentId, trade.venueOrderId);
    const account = this.#accounts.get(key);
    if (account === undefined) {
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), trade]);
      return [];
    }
    if (account.last !== undefined && compareIds(trade.venueTradeId, account.last) <= 0) return [];
    account.traded += trade.quantity;
    // What was booked from a sum before its trades came is told already.
    const excess = account.traded - account.quantity;
    if (excess <= 0n) return [];
    const quantity = excess < trade.quantity ? excess : trade.quantity;
    account.quantity += quantity;
    account.notional += multiplyFixed(trade.price, quantity);
    return [fillOf(account.order, trade, quantity)];
  }
}

/** What a set has beyond so many, the oldest first. */
function* oldest(of: ReadonlySet<string> | undefined, kept: number): Generator<string> {
  if (of === undefined) return;
  let left = of.size - kept;
  for (const key of of) {
    if (left <= 0) return;
    left -= 1;
    yield key;
  }
}

function accountOf(order: OwnOrder, told: readonly ToldFill[]): Account {
  let quantity: Fixed = 0n;
  let notional: Fixed = 0n;
  let traded: Fixed = 0n;
  let last: string | undefined;
  for (const fill of told) {
    quantity += fill.quantity;
    notional += multiplyFixed(fill.price, fill.quantity);
    if (fill.venueTradeId === undefined) continue;
    // A fill that has a trade ends what was booked without one.
    traded = quantity;
    if (last === undefined || compareIds(fill.venueTradeId, last) > 0) last = fill.venueTradeId;
  }
  return { order, quantity, notional, traded, last };
}

function fillOf(order: OwnOrder, trade: VenueTrade, quantity: Fixed): FillRecord {
  const { side, liquidity, price, fee, feeAsset, time, venueTradeId } = trade;
  return {
    clientOrderId: order.clientOrderId,
    instrumentId: order.instrumentId,
    side,
    action: order.action,
    price,
    quantity,
    fee: quantity === trade.quantity ? fee : shareFixed(fee, quantity, trade.quantity),
    feeAsset: feeAsset ?? order.feeAsset,
    liquidity,
    eventTime: time,
    venueTradeId,
  };
}

function keyOf(instrumentId: InstrumentId, id: string): string {
  return `${instrumentId} ${id}`;
}
