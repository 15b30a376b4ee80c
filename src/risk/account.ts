import type {
  Asset,
  CashWatch,
  Direction,
  EpochMs,
  Fixed,
  InstrumentId,
  ProductKind,
} from '../domain/index.js';

/**
 * What risk reads of the account at the moment of an intent: a live, read-only view that the engine implements without copying.
 */
export interface RiskAccount {
  readonly now: EpochMs;
  /** Is told where money decides. @defaultValue nobody */
  readonly cashWatch?: CashWatch | undefined;
  /** Last known price, quote per base; undefined before the first. */
  lastPrice(instrumentId: InstrumentId): Fixed | undefined;
  /** Last known mark price of a contract; undefined for what has none. */
  markPrice(instrumentId: InstrumentId): Fixed | undefined;
  /**
   * What is not locked by working, pending or unknown orders of ours. Futures: what a new order may use of the margin asset. Margin:
   * what is owned, whatever is owed.
   */
  freeBalance(asset: Asset, account: ProductKind): Fixed;
  /** Debts of the margin account, with what working orders may yet borrow, in the equity currency. */
  owed(): Fixed;
  /** What equity is counted in. */
  readonly equityCurrency: Asset;
  /** Cash and positions at last prices, in the equity currency: of one account, by default of all. */
  equity(account?: ProductKind): Fixed;
  /** What one unit of another asset is worth in the equity currency, at last; undefined before the first price. */
  worthOf(asset: Asset): Fixed | undefined;
  /** Position quantity from the ledger: base or contracts, ≥ 0. */
  held(instrumentId: InstrumentId, direction: Direction): Fixed;
  /**
   * Mark price at which a position in contracts is liquidated, as far as our own books say, once `added` is part of it; undefined where none is, or
   * the venue's tiers are not known. @defaultValue it is not known
   */
  liquidationWith?(
    instrumentId: InstrumentId,
    direction: Direction,
    added: { readonly quantity: Fixed; readonly value: Fixed },
  ): Fixed | undefined;
  /** Quantity in working, pending or unknown closing orders of that position. */
  closing(instrumentId: InstrumentId, direction: Direction): Fixed;
  /** Working, pending and unknown orders of the instrument, of all strategies of the account. */
  workingOrders(instrumentId: InstrumentId): number;
}

/** Last price above 0; anything else is none, whatever the account says. */
export function knownPrice(account: RiskAccount, instrumentId: InstrumentId): Fixed | undefined {
  const last = account.lastPrice(instrumentId);
  return last !== undefined && last > 0n ? last : undefined;
}

/** Mark price above 0. */
export function knownMark(account: RiskAccount, instrumentId: InstrumentId): Fixed | undefined {
  const mark = account.markPrice(instrumentId);
  return mark !== undefined && mark > 0n ? mark : undefined;
}
