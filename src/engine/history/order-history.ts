import {
  DAY_MS,
  directionOf,
  HOUR_MS,
  multiplyFixed,
  type ClientOrderId,
  type Direction,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type OrderRequest,
  type VenueOrderId,
} from '../../domain/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../venue/index.js';

/** An order as the journal records it. */
export interface PastOrder {
  readonly request: OrderRequest;
  /** Undefined if the journal has no update of the venue with the id. */
  readonly venueOrderId: VenueOrderId | undefined;
  /** Sum of the fills in the journal. */
  readonly filledQuantity: Fixed;
  readonly filledNotional: Fixed;
}

/** A bot's orders over all epochs of its journal. These orders must not count as external, and these fills and funding must not be reported again. */
export interface OrderHistory {
  /** In the order in which the bot sent them. */
  readonly orders: readonly PastOrder[];
  /** In the order in which the venue reported them. Forced fills are included; they belong to none of the orders. */
  readonly fills: readonly FillRecord[];
  /** Funding known so far of open positions in contracts, by {@link sideKey}: what was reported, and what came before a claim. Negative when paid. */
  readonly funding: ReadonlyMap<string, Fixed>;
  /** Positions in contracts that were held over a full hour and ended within a day before the last end. Their funding may not be known yet. */
  readonly ended: readonly EndedPosition[];
}

/** A position in a contract, from flat to flat. */
export interface EndedPosition {
  /** {@link sideKey}. */
  readonly key: string;
  /** Time of the fill that opened it; -Infinity if it was not opened by a fill. */
  readonly openedTime: EpochMs;
  /** Time of the fill that closed it. */
  readonly endedTime: EpochMs;
  /** Funding reported so far; negative when paid. */
  readonly funding: Fixed;
}

/** What a bot claimed of one side of a contract, between two updates of the venue. */
export interface ClaimedSide {
  readonly kind: 'claimed';
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Contracts that are the bot's from then on; 0 if it gave up its position. */
  readonly quantity: Fixed;
  /** Funding that a position of others had paid or received until then; undefined if the bot held contracts of this side before. */
  readonly funding?: Fixed | undefined;
}

/** The part that a session still needs after its start: the last `kept` orders and the funding, without fills. */
export function latestOf(history: OrderHistory, kept: number): OrderHistory {
  return { ...history, orders: history.orders.slice(-kept), fills: [] };
}

/** The key of one side of an instrument. */
export function sideKey(instrumentId: InstrumentId, direction: Direction): string {
  return `${instrumentId} ${direction}`;
}

/** The history after a claim that no journal has yet. */
export function historyWith(history: OrderHistory, claimed: readonly ClaimedSide[]): OrderHistory {
  const sides = new FundingBySide(history.funding);
  for (const each of claimed) sides.claim(each);
  return { ...history, funding: sides.told };
}

/** Builds the history from all sent requests, then all updates of the venue and all claims, both oldest first. */
export function foldOrderHistory(
  requests: Iterable<OrderRequest>,
  updates: Iterable<VenueUpdate | ClaimedSide>,
): OrderHistory {
  const orders = new Map<ClientOrderId, Mutable<PastOrder>>();
  for (const request of requests)
    orders.set(request.clientOrderId, {
      request,
      venueOrderId: undefined,
      filledQuantity: 0n,
      filledNotional: 0n,
    });
  const fills: FillRecord[] = [];
  const sides = new FundingBySide();
  for (const update of updates) {
    if (update.kind === 'claimed') {
      sides.claim(update);
      continue;
    }
    if (!isOrderUpdate(update)) {
      if (update.kind === 'forced-fill') {
        fills.push(update.fill);
        sides.fill(update.fill);
      } else if (update.kind === 'funding') sides.fund(update);
      continue;
    }
    const order = orders.get(update.clientOrderId);
    if (order !== undefined && 'venueOrderId' in update) order.venueOrderId = update.venueOrderId;
    if (update.kind !== 'fill') continue;
    const { fill } = update;
    fills.push(fill);
    sides.fill(fill);
    if (order === undefined) continue;
    order.filledQuantity += fill.quantity;
    order.filledNotional += multiplyFixed(fill.price, fill.quantity);
  }
  return { orders: [...orders.values()], fills, funding: sides.told, ended: sides.ended };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Funding per position. A venue shows the funding since the position was opened, so each position has a sum of its own. */
class FundingBySide {
  /** Of open positions. */
  readonly told: Map<string, Fixed>;
  ended: EndedPosition[] = [];
  readonly #held = new Map<string, { quantity: Fixed; readonly openedTime: EpochMs }>();

  constructor(told: ReadonlyMap<string, Fixed> = new Map<string, Fixed>()) {
    this.told = new Map(told);
  }

  /** Contracts become the bot's, or are no longer, without a fill. */
  claim({ instrumentId, direction, quantity, funding }: ClaimedSide): void {
    const key = sideKey(instrumentId, direction);
    const held = funding === undefined ? this.#held.get(key) : undefined;
    if (quantity === 0n) {
      this.#held.delete(key);
      this.told.delete(key);
      return;
    }
    this.#held.set(key, { quantity, openedTime: held?.openedTime ?? Number.NEGATIVE_INFINITY });
    if (funding !== undefined) this.told.set(key, funding);
  }

  fill(fill: FillRecord): void {
    const { instrumentId, action, quantity, eventTime } = fill;
    if (!instrumentId.startsWith('futures:')) return;
    const key = sideKey(instrumentId, directionOf(fill));
    const held = this.#held.get(key);
    if (action === 'open') {
      if (held === undefined) this.#held.set(key, { quantity, openedTime: eventTime });
      else held.quantity += quantity;
      return;
    }
    if (held !== undefined && held.quantity > quantity) {
      held.quantity -= quantity;
      return;
    }
    this.#end(key, held?.openedTime ?? Number.NEGATIVE_INFINITY, eventTime);
  }

  #end(key: string, openedTime: EpochMs, endedTime: EpochMs): void {
    const funding = this.told.get(key) ?? 0n;
    this.#held.delete(key);
    this.told.delete(key);
    if (openedTime > endedTime - (endedTime % HOUR_MS)) return;
    this.ended = this.ended.filter((each) => each.endedTime > endedTime - DAY_MS);
    this.ended.push({ key, openedTime, endedTime, funding });
  }

  /** Funding may be reported after its position has ended, or even after the next was opened. Its time tells which position paid it. */
  fund(update: Extract<VenueUpdate, { readonly kind: 'funding' }>): void {
    const { instrumentId, direction, amount, eventTime } = update;
    const key = sideKey(instrumentId, direction);
    const held = this.#held.get(key);
    const paid = (each: EndedPosition): boolean =>
      each.key === key && each.openedTime <= eventTime && eventTime <= each.endedTime;
    const place =
      held !== undefined && held.openedTime <= eventTime ? -1 : this.ended.findLastIndex(paid);
    const position = this.ended[place];
    if (position === undefined) this.told.set(key, (this.told.get(key) ?? 0n) + amount);
    else this.ended[place] = { ...position, funding: position.funding + amount };
  }
}
