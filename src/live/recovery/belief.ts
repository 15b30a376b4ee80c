import {
  absFixed,
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

/** One side of a contract; 0 where nothing is held, so that what the venue holds there is seen. */
export interface BelievedPosition {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Contracts. */
  readonly quantity: Fixed;
  /** Less than this is dust. */
  readonly step: Fixed;
}

/** What the bot takes for its own on an account that shows its balances. */
export interface BelievedBalance {
  readonly account: 'spot' | 'futures';
  readonly asset: Asset;
  readonly free: Fixed;
  /** Held back for the bot's working orders. */
  readonly locked: Fixed;
  /** Less than this is no difference. */
  readonly tolerance: Fixed;
}

/** What a bot believes at one instant. */
export interface Belief {
  /** Those that may still fill. */
  readonly orders: readonly BelievedOrder[];
  readonly positions: readonly BelievedPosition[];
  readonly balances: readonly BelievedBalance[];
  /** Whether an order is in the journal, also one that has ended. */
  readonly isKnown: (id: VenueOrderId) => boolean;
  /** Orders with a command on its way: what is seen of them may be older than its answer. */
  readonly inFlight: ReadonlySet<ClientOrderId>;
  /** Instruments of which nothing can be read, and the bot has something: neither they nor balances that they may have changed are compared. @defaultValue none */
  readonly unread?: readonly InstrumentId[] | undefined;
}

/** What a venue shows, read at one instant: nothing of the bot's may change between the first reading and the last. */
export interface VenueView {
  readonly time: EpochMs;
  /** All working orders, by instrument. Instruments that are not in it were not read, and are not compared. */
  readonly openOrders: ReadonlyMap<InstrumentId, readonly VenueOrder[]>;
  /** Orders that were asked for by their id. */
  readonly orders: ReadonlyMap<VenueOrderId, VenueOrder>;
  /** Accounts that are not in it are not compared. */
  readonly accounts: readonly AccountSnapshot[];
}

export interface BeliefSource {
  readonly orders: readonly WorkingOrder[];
  readonly portfolio: Portfolio;
}

/** On futures margins move with the mark: what is free is known to a hundredth. */
const FUTURES_TOLERANCE = 100n;

/**
 * What an engine believes of orders, positions and balances. An asset of the spot account may be short by the smallest step of its
 * instruments: venues round fees. Margin accounts show nothing and are left out.
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
      // What others hold where the bot only reads is theirs.
      if (isReadOnly === true) continue;
      for (const { direction, holding } of [long, short])
        positions.push({ instrumentId: id, direction, quantity: holding.quantity, step });
    } else if (kind === 'spot') {
      tolerances.set(base, smaller(tolerances.get(base), step));
      tolerances.set(quote, smaller(tolerances.get(quote), tick));
    }
  }
  const balances = (['spot', 'futures'] as const).flatMap((account) =>
    [...(portfolio.balances()[account]?.keys() ?? [])].map((asset): BelievedBalance => {
      const { free, locked } = portfolio.balance(asset, account).exact;
      const tolerance =
        account === 'spot'
          ? (tolerances.get(asset) ?? 0n)
          : absFixed(free + locked) / FUTURES_TOLERANCE;
      return { account, asset, free, locked, tolerance };
    }),
  );
  return { orders: orders.filter(({ isFinal }) => !isFinal), positions, balances };
}

function smaller(known: Fixed | undefined, step: Fixed): Fixed {
  return known === undefined ? step : minFixed(known, step);
}
