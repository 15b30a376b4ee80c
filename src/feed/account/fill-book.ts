import {
  compareIds,
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

/** An own order whose executions are booked. */
export interface OwnOrder {
  readonly clientOrderId: ClientOrderId;
  readonly venueOrderId: VenueOrderId;
  readonly instrumentId: InstrumentId;
  readonly action: PositionAction;
  /** Asset of its fees if a trade does not say it (futures: the margin asset). */
  readonly feeAsset: Asset;
}

/** A fill that was reported before. Without a trade id it may stand for several trades, as a sum. */
export type ToldFill = Pick<FillRecord, 'price' | 'quantity' | 'venueTradeId'>;

/** Estimates the fee of an execution that the venue reports only as part of a sum. */
export type EstimateFee = (execution: {
  readonly order: OwnOrder;
  readonly price: Fixed;
  readonly quantity: Fixed;
}) => { readonly fee: Fixed; readonly feeAsset: Asset; readonly liquidity: Liquidity };

interface Account {
  readonly order: OwnOrder;
  /** Total of fills that were returned. */
  quantity: Fixed;
  notional: Fixed;
  /** Total of trades that were taken. */
  traded: Fixed;
  /** Newest trade that an earlier process has reported. Trades are read in the order of their ids, so older ones were reported too. */
  readonly last: string | undefined;
}

/** Number of ended orders that are kept for each instrument, to recognize late executions. */
const KEPT_ORDERS = 1_000;
/** Number of trade ids that are kept. Ids rise from one reading to the next, so only the newest trades can be read twice. */
const KEPT_TRADES = 10_000;

/**
 * Turns trades and cumulative quantities of own orders into fills: each execution exactly once, in whatever order the two arrive.
 *
 * Trades are exact and have priority. A cumulative quantity without trades can be booked with {@link book}; trades of it that come later are then
 * ignored. Trades of unknown orders wait, because the answer with an order's id may come after its trade.
 */
export class FillBook {
  readonly #accounts = new Map<string, Account>();
  readonly #waiting = new Map<string, VenueTrade[]>();
  /** Sides of trades. A trade between two own orders has the same id in both rows. */
  readonly #seen = new Set<string>();
  /** Ended orders, oldest first, by instrument. */
  readonly #ended = new Map<InstrumentId, Set<string>>();

  /** Makes an order known. Returns the fills of its trades that came before. */
  register(order: OwnOrder): readonly FillRecord[] {
    return this.restore(order, []);
  }

  /**
   * Makes an order known whose fills an earlier process has reported: `told`, in their order. None of them is reported again, even if its trade is
   * read again. Returns the fills of new trades.
   */
  restore(order: OwnOrder, told: readonly ToldFill[]): readonly FillRecord[] {
    const key = keyOf(order.instrumentId, order.venueOrderId);
    if (this.#accounts.has(key)) return [];
    this.#accounts.set(key, accountOf(order, told));
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return waiting.flatMap((trade) => this.#apply(trade));
  }

  /** Takes trades, including repeated ones. Returns the new fills. */
  take(trades: readonly VenueTrade[]): readonly FillRecord[] {
    return trades.flatMap((trade) => {
      const { instrumentId, venueTradeId, venueOrderId } = trade;
      const side = sideOf(instrumentId, venueTradeId, venueOrderId);
      if (this.#seen.has(side) || this.#seen.has(sideOf(instrumentId, venueTradeId))) return [];
      this.#seen.add(side);
      return this.#apply(trade);
    });
  }

  /** Notes that an order has ended and was fully reported. */
  end({ instrumentId, venueOrderId }: Pick<OwnOrder, 'instrumentId' | 'venueOrderId'>): void {
    const ended = this.#ended.get(instrumentId) ?? new Set();
    ended.add(keyOf(instrumentId, venueOrderId));
    this.#ended.set(instrumentId, ended);
  }

  /** Forgets old orders and trade ids. To be called when the trades of an instrument have been read to the newest. */
  forget(instrumentId: InstrumentId): void {
    const ended = this.#ended.get(instrumentId);
    for (const key of oldest(ended, KEPT_ORDERS)) {
      ended?.delete(key);
      this.#accounts.delete(key);
    }
    for (const key of oldest(this.#seen, KEPT_TRADES)) this.#seen.delete(key);
  }

  /** Whether an order is an own order. */
  knows({
    instrumentId,
    venueOrderId,
  }: Pick<VenueOrder, 'instrumentId' | 'venueOrderId'>): boolean {
    return this.#accounts.has(keyOf(instrumentId, venueOrderId));
  }

  /** Filled quantity of an order without a fill: its trades must be read. 0 for unknown orders. */
  unexplained({ instrumentId, venueOrderId, filledQuantity }: VenueOrder): Fixed {
    const account = this.#accounts.get(keyOf(instrumentId, venueOrderId));
    const missing = account === undefined ? 0n : filledQuantity - account.quantity;
    return missing > 0n ? missing : 0n;
  }

  /**
   * Books the filled quantity of an order that no trade explains, as one fill at its average price. For venues that do not serve the trades of an
   * ended order. The fee is an estimate, and the time is that of the reading.
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

  /** Trades of unknown orders: external, or of an own order whose id is still on its way. */
  get external(): readonly VenueTrade[] {
    return [...this.#waiting.values()].flat();
  }

  /**
   * Marks a trade of an order as handled elsewhere, possibly by an earlier process; without an order, its whole. It no longer waits for an order, and is
   * not taken again.
   */
  settle({
    instrumentId,
    venueTradeId,
    venueOrderId,
  }: Pick<VenueTrade, 'instrumentId' | 'venueTradeId'> &
    Partial<Pick<VenueTrade, 'venueOrderId'>>): void {
    this.#seen.add(sideOf(instrumentId, venueTradeId, venueOrderId));
    for (const [key, trades] of this.#waiting) {
      const left = trades.filter(
        (trade) =>
          trade.instrumentId !== instrumentId ||
          trade.venueTradeId !== venueTradeId ||
          (venueOrderId !== undefined && trade.venueOrderId !== venueOrderId),
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
    // This quantity was already booked from a sum, before its trades came.
    const excess = account.traded - account.quantity;
    if (excess <= 0n) return [];
    const quantity = excess < trade.quantity ? excess : trade.quantity;
    account.quantity += quantity;
    account.notional += multiplyFixed(trade.price, quantity);
    return [fillOf(account.order, trade, quantity)];
  }
}

/** The oldest entries of a set, beyond the number to keep. */
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
    // A fill with a trade id includes everything that was booked before it without one.
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

/** Names the part of an order in a trade; without an order, the whole trade. */
function sideOf(
  instrumentId: InstrumentId,
  tradeId: string,
  venueOrderId: VenueOrderId | '' = '',
): string {
  return `${keyOf(instrumentId, tradeId)} ${venueOrderId}`;
}

function keyOf(instrumentId: InstrumentId, id: string): string {
  return `${instrumentId} ${id}`;
}
