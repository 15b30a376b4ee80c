import type { Fixed, InstrumentId, LimitOrderRequest } from '../domain/index.js';
import type { Accounts } from './accounts/accounts.js';
import type { OpenPosition } from './futures/open-position.js';
import type { InstrumentMarket } from './instrument-market.js';
import type { MarginClearing } from './margin/margin-clearing.js';
import type { MarginLedger } from './margin/margin-ledger.js';
import type { ConditionalRequest } from './orders/conditional-orders.js';
import type { OrderEntry } from './orders/order-entry.js';
import type { OrderMatcher } from './orders/order-matcher.js';

/**
 * Everything that determines the future of a venue, besides time, its candles and the balances. Two venues on the same candles with the same state
 * and balances have the same future. Arrival times of orders are not part of it, because nothing reads them while stored candles are replayed.
 */
export interface VenueState {
  /** Resting LIMIT orders, oldest first. */
  readonly orders: readonly {
    readonly request: LimitOrderRequest;
    readonly remaining: Fixed;
    readonly held: Fixed;
    readonly needed: Fixed | undefined;
    /** Whether the order takes at the next open, and is no maker yet. */
    readonly takes: boolean;
  }[];
  /** Waiting conditional orders, oldest first. */
  readonly triggers: readonly ConditionalRequest[];
  /** Quantity that orders have taken of the volume of open candles. */
  readonly taken: readonly { readonly instrumentId: InstrumentId; readonly quantity: Fixed }[];
  readonly contracts: readonly OpenPosition[];
  readonly margin: MarginLedger['parts'];
  readonly hasWarned: readonly [ledger: boolean, clearing: boolean];
}

/** Parts of a venue that hold state. */
interface StateSource {
  readonly markets: Iterable<InstrumentMarket>;
  readonly matcher: OrderMatcher;
  readonly entry: OrderEntry;
  readonly accounts: Accounts;
  readonly margin: MarginClearing | undefined;
}

/** Undefined if the state cannot be described: a command waits for a candle to open, or a candle is open whose path is chosen already. */
export function describeVenue(source: StateSource): VenueState | undefined {
  const { markets, matcher, entry, accounts, margin } = source;
  const open = [...markets].filter(({ isOpen }) => isOpen);
  if (entry.hasWaiting || open.some(({ chosenOrder }) => chosenOrder !== undefined))
    return undefined;
  return {
    orders: Array.from(matcher.book.all, ({ request, remaining, held, needed, takes }) => {
      return { request, remaining, held, needed, takes };
    }),
    triggers: Array.from(entry.triggers, ({ request }) => request),
    taken: open.map(({ source: { instrument }, taken }) => {
      return { instrumentId: instrument.id, quantity: taken };
    }),
    contracts: accounts.futures?.ledger.openPositions ?? [],
    margin: accounts.margin?.ledger.parts ?? [],
    hasWarned: [accounts.margin?.ledger.isWarned ?? false, margin?.isWarned ?? false],
  };
}
