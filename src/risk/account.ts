import type {
  Asset,
  CashWatch,
  Direction,
  EpochMs,
  Fixed,
  InstrumentId,
  ProductKind,
} from '../domain/index.js';

/** The account as risk reads it at the moment of an intent: a live, read-only view. The engine implements it without copying. */
export interface RiskAccount {
  readonly now: EpochMs;
  /** Is notified when a decision depends on the balance. @defaultValue no watch */
  readonly cashWatch?: CashWatch | undefined;
  /** Last known price, quote per base; undefined before the first. */
  lastPrice(instrumentId: InstrumentId): Fixed | undefined;
  /** Last known mark price of a contract; undefined without a mark. */
  markPrice(instrumentId: InstrumentId): Fixed | undefined;
  /**
   * Balance that our working, pending or unknown orders do not lock. Futures: the amount of the margin asset that a new order may use. Margin: the
   * owned amount, whatever the debts.
   */
  freeBalance(asset: Asset, account: ProductKind): Fixed;
  /** Debts of the margin account plus the amounts that working orders may still borrow, in the equity currency. */
  owed(): Fixed;
  /** The currency of equity. */
  readonly equityCurrency: Asset;
  /** Cash and positions at last prices, in the equity currency: of one account, by default of all accounts. */
  equity(account?: ProductKind): Fixed;
  /** Value of one unit of another asset in the equity currency, at the last price; undefined before the first price. */
  worthOf(asset: Asset): Fixed | undefined;
  /** Position quantity from the ledger: base or contracts, ≥ 0. */
  held(instrumentId: InstrumentId, direction: Direction): Fixed;
  /**
   * Mark price at which a position in contracts is liquidated once `added` is part of it, by our own books. Undefined if there is no such price, or
   * the venue's tiers are not known. @defaultValue not known
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

/** Last price above 0; any other value counts as unknown. */
export function knownPrice(account: RiskAccount, instrumentId: InstrumentId): Fixed | undefined {
  const last = account.lastPrice(instrumentId);
  return last !== undefined && last > 0n ? last : undefined;
}

/** Mark price above 0. */
export function knownMark(account: RiskAccount, instrumentId: InstrumentId): Fixed | undefined {
  const mark = account.markPrice(instrumentId);
  return mark !== undefined && mark > 0n ? mark : undefined;
}
