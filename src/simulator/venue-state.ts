import type { Fixed, InstrumentId, LimitOrderRequest } from '../domain/index.js';
import type { Accounts } from './accounts.js';
import type { ConditionalRequest } from './conditional-orders.js';
import type { OpenPosition } from './futures/open-position.js';
import type { MarginLedger } from './margin/margin-ledger.js';
import type { MarginClearing } from './margin-clearing.js';
import type { InstrumentMarket } from './instrument-market.js';
import type { OrderEntry } from './order-entry.js';
import type { OrderMatcher } from './order-matcher.js';

/**
 * All that the future of a venue follows from beside time, its candles and the balances: of two venues on the same candles that agree in
 * it and in their balances, the same becomes. When an order came is no part of it, because nothing asks for it while stored candles are replayed.
 */
export interface VenueState {
  /** LIMIT orders that wait, oldest first. */
  readonly orders: readonly {
    readonly request: LimitOrderRequest;
    readonly remaining: Fixed;
    readonly held: Fixed;
    readonly needed: Fixed | undefined;
    /** Whether it takes at the next open, and is no maker yet. */
    readonly takes: boolean;
  }[];
  /** Conditional orders that wait, oldest first. */
  readonly triggers: readonly ConditionalRequest[];
  /** What was taken of the volume of candles that are open. */
  readonly taken: readonly { readonly instrumentId: InstrumentId; readonly quantity: Fixed }[];
  readonly contracts: readonly OpenPosition[];
  readonly margin: MarginLedger['parts'];
  readonly hasWarned: readonly [ledger: boolean, clearing: boolean];
}

/** Parts of a venue that remember something. */
export interface StateSource {
  readonly markets: Iterable<InstrumentMarket>;
  readonly matcher: OrderMatcher;
  readonly entry: OrderEntry;
  readonly accounts: Accounts;
  readonly margin: MarginClearing | undefined;
}

/** Undefined where it cannot be said: a command waits for a candle to open, or a candle is open whose path is chosen already. */
export function describeVenue(source: StateSource): VenueState | undefined {
  const { markets, matcher, entry, accounts, margin } = source;
  const open = [...markets].filter(({ isOpen }) => isOpen);
  if (entry.hasWaiting || open.some(({ chosenOrder }) => chosenOrder !== undefined))
    return undefined;
  return {
    orders: Array.from(matcher.resting, ({ request, remaining, held, needed, takes }) => {
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
