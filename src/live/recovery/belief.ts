import {
  absFixed,
  contractValue,
  minFixed,
  type Asset,
  type ClientOrderId,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type RuleBook,
  type VenueOrderId,
} from '../../domain/index.js';
import type { AccountSnapshot, VenueOrder } from '../../venue/index.js';
import type { WorkingOrder, Portfolio } from '../../engine/index.js';

/** An order that may still fill, as the engine knows it. */
export type BelievedOrder = Pick<
  WorkingOrder,
  'request' | 'status' | 'venueOrderId' | 'filledQuantity'
>;

/** One side of a contract. Also with quantity 0, so that an unknown position at the venue is noticed. */
export interface BelievedPosition {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Contracts. */
  readonly quantity: Fixed;
  /** Less than this is dust. */
  readonly step: Fixed;
}

/** The bot's share of a balance, on an account that shows its balances. */
export interface BelievedBalance {
  readonly account: 'spot' | 'futures';
  readonly asset: Asset;
  readonly free: Fixed;
  /** Held back for the bot's working orders. */
  readonly locked: Fixed;
  /** The most that the venue may hold back for these orders. */
  readonly mostLocked: Fixed;
  /** A smaller shortage does not count. */
  readonly tolerance: Fixed;
}

/** The bot's books at one time. */
export interface Belief {
  /** The orders that may still fill. */
  readonly orders: readonly BelievedOrder[];
  readonly positions: readonly BelievedPosition[];
  readonly balances: readonly BelievedBalance[];
  /** Whether an order is in the journal, including orders that have ended. */
  readonly isKnown: (id: VenueOrderId) => boolean;
  /** Orders with a command on its way: their state at the venue may be older than its answer. */
  readonly inFlight: ReadonlySet<ClientOrderId>;
  /**
   * Gone instruments of which the bot has a position or an order. They, and balances that they may have changed, are not compared. @defaultValue none
   */
  readonly unread?: readonly InstrumentId[] | undefined;
}

/** The venue's state at one time. The bot's own state must not change between the first and the last reading. */
export interface VenueView {
  readonly time: EpochMs;
  /** All working orders, by instrument. A missing instrument was not read, and is not compared. */
  readonly openOrders: ReadonlyMap<InstrumentId, readonly VenueOrder[]>;
  /** Orders that were read by their id. */
  readonly orders: ReadonlyMap<VenueOrderId, VenueOrder>;
  /** A missing account is not compared. */
  readonly accounts: readonly AccountSnapshot[];
}

export interface BeliefSource {
  readonly orders: readonly WorkingOrder[];
  readonly portfolio: Portfolio;
}

/** On futures, margins move with the mark: the free amount is only known to a hundredth. */
const FUTURES_TOLERANCE = 100n;
/**
 * A venue holds back the opening loss at the mark at which an order arrives, the bot at the mark at which it decides. The two marks may differ by a
 * hundredth of the price.
 */
const MARK_MOVES = 100n;

/**
 * Returns the orders, positions and balances in an engine's books. A spot asset may be short by the smallest step of its instruments: venues round
 * fees. Margin accounts show nothing and are left out.
 */
export function believe(
  { orders, portfolio }: BeliefSource,
  { rules, now }: { readonly rules: RuleBook; readonly now: EpochMs },
): Pick<Belief, 'orders' | 'positions' | 'balances'> {
  const positions: BelievedPosition[] = [];
  const tolerances = new Map<Asset, Fixed>();
  for (const { instrument, long, short } of portfolio.instruments()) {
    const { id, kind, base, quote, isReadOnly } = instrument;
    const { step = 0n, tick = 0n } = rules.at(id, now) ?? {};
    if (kind === 'futures') {
      // Positions on instruments that the bot only reads belong to others.
      if (isReadOnly === true) continue;
      for (const { direction, holding } of [long, short])
        positions.push({ instrumentId: id, direction, quantity: holding.quantity, step });
    } else if (kind === 'spot') {
      tolerances.set(base, smaller(tolerances.get(base), step));
      tolerances.set(quote, smaller(tolerances.get(quote), tick));
    }
  }
  const working = orders.filter(({ isFinal }) => !isFinal);
  const moves = lossesOnTheWay(working, portfolio);
  const balances = (['spot', 'futures'] as const).flatMap((account) =>
    [...(portfolio.balances()[account]?.keys() ?? [])].map((asset): BelievedBalance => {
      const { free, locked } = portfolio.balance(asset, account).exact;
      const tolerance =
        account === 'spot'
          ? (tolerances.get(asset) ?? 0n)
          : absFixed(free + locked) / FUTURES_TOLERANCE;
      const more = account === 'futures' ? (moves.get(asset) ?? 0n) : 0n;
      return { account, asset, free, locked, mostLocked: locked + more, tolerance };
    }),
  );
  return { orders: working, positions, balances };
}

/** By margin asset, how much the opening losses of orders may have grown while the orders were on their way. */
function lossesOnTheWay(
  orders: readonly WorkingOrder[],
  portfolio: Portfolio,
): ReadonlyMap<Asset, Fixed> {
  const losses = new Map<Asset, Fixed>();
  for (const { request, remaining } of orders) {
    if (request.type !== 'limit' || request.action !== 'open') continue;
    const { instrument } = portfolio.instrument(request.instrumentId);
    if (instrument.kind !== 'futures') continue;
    const loss = contractValue(instrument, remaining, request.limitPrice) / MARK_MOVES;
    const { marginAsset } = instrument;
    losses.set(marginAsset, (losses.get(marginAsset) ?? 0n) + loss);
  }
  return losses;
}

function smaller(known: Fixed | undefined, step: Fixed): Fixed {
  return known === undefined ? step : minFixed(known, step);
}
