import type {
  Asset,
  Decimal,
  Direction,
  EpochMs,
  InstrumentId,
  MarginMode,
  Position,
  Price,
  ProductKind,
} from '../domain/index.js';

/** What the venue accepts now. Limits that are absent do not exist. Quantities in base (spot, margin) or contracts (futures), money in quote. */
export interface RulesInForce {
  readonly tradable: boolean;
  /** Smallest difference of prices. */
  readonly tick: Decimal;
  /** Smallest difference of quantities. */
  readonly step: Decimal;
  readonly minOrderQuantity: Decimal | undefined;
  readonly minOrderMoney: Decimal | undefined;
  readonly maxMarketQuantity: Decimal | undefined;
  readonly maxMarketMoney: Decimal | undefined;
  readonly maxLimitQuantity: Decimal | undefined;
  /** Most orders that may work at once. */
  readonly maxWorkingOrders: number | undefined;
}

/** What a strategy may know of one instrument, at the event being processed. Sides are that which is held, unless one is named. */
export interface InstrumentInfo {
  readonly instrumentId: InstrumentId;
  readonly kind: ProductKind;
  /** The venue's own name. */
  readonly symbol: string;
  readonly base: Asset;
  readonly quote: Asset;
  /** Whether its market is read and every order on it is refused. */
  readonly isReadOnly: boolean;
  /** Contracts only. */
  readonly contract: 'linear' | 'inverse' | undefined;
  /** Face value of one contract, in base (linear) or quote (inverse); contracts only. */
  readonly multiplier: Decimal | undefined;
  /** Contracts only. */
  readonly marginAsset: Asset | undefined;
  /** Margin and contracts only. */
  readonly leverage: Decimal | undefined;
  /** Contracts only. */
  readonly marginMode: MarginMode | undefined;
  /** The rules in force now; undefined where none are known. */
  readonly rules: RulesInForce | undefined;
  /** Last known price; undefined before the first candle. */
  readonly last: number | undefined;
  /** Last known mark price of a contract; undefined before the first. */
  readonly markPrice: number | undefined;
  /** Funding rate of a contract as the venue shows it; see {@link StrategyContext.fundingRate}. */
  readonly fundingRate: number | undefined;
  /** When funding of a contract is settled next, UTC milliseconds; undefined where that is not known, and of pairs. */
  readonly nextFundingTime: EpochMs | undefined;
  position(direction?: Direction): Position;
  /**
   * What closing would bring before costs, less what was paid: of a pair at last in quote, of a contract at mark in the margin asset. 0 where nothing
   * is held.
   */
  openProfit(direction?: Direction): Decimal;
  /**
   * The mark price at which the venue takes a position in contracts over, as the bot's own books say it; on cross while the marks of other contracts
   * stay where they are. Undefined where nothing is held, no price does it, no tiers or no price are known, where long and short of the contract are both
   * held on cross, because each carries the other, and on spot and margin: a margin account is sold as a whole, and the venue shows no balances of it.
   */
  liquidationPrice(direction?: Direction): Price | undefined;
  /** How far mark may move before {@link liquidationPrice}, as a ratio of mark: 0.05 is 5 %. Undefined where that is. */
  liquidationDistance(direction?: Direction): Decimal | undefined;
}
