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

/** Rules of the venue now; an undefined limit means no limit. Quantities are in base (spot, margin) or contracts (futures), money in quote. */
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

/** Live view of one instrument, at the event being processed. Without `direction`, methods use the side that is held; long if neither or both are. */
export interface InstrumentInfo {
  readonly instrumentId: InstrumentId;
  readonly kind: ProductKind;
  /** The venue's own name. */
  readonly symbol: string;
  readonly base: Asset;
  readonly quote: Asset;
  /** Whether the instrument only serves market data: every order on it is refused. */
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
  /** The rules in force now; undefined if they are not known. */
  readonly rules: RulesInForce | undefined;
  /** Last known price; undefined before the first candle. */
  readonly last: number | undefined;
  /** Last known mark price of a contract; undefined before the first. */
  readonly markPrice: number | undefined;
  /** Funding rate of a contract as the venue shows it; see {@link StrategyContext.fundingRate}. */
  readonly fundingRate: number | undefined;
  /** Time of the next funding settlement of a contract, UTC milliseconds; undefined if it is not known, and for pairs. */
  readonly nextFundingTime: EpochMs | undefined;
  position(direction?: Direction): Position;
  /**
   * Profit of closing now, before costs. A pair: at last, in quote. A contract: at mark (at last while no mark is known), in the margin asset. 0 if
   * nothing is held, or no price is known.
   */
  openProfit(direction?: Direction): Decimal;
  /**
   * The mark price at which the venue liquidates a position in contracts, by the bot's own books. On cross it assumes that the marks of other contracts
   * stay unchanged. Undefined if nothing is held, no price liquidates the position, tiers or prices are not known, or long and short of the contract are both
   * held on cross, because each covers the other. Undefined on spot and margin: a margin account is sold as a whole, and the venue does not show its balances.
   */
  liquidationPrice(direction?: Direction): Price | undefined;
  /** Distance of mark from {@link liquidationPrice}, as a ratio of mark: 0.05 is 5 %. Undefined if the liquidation price is. */
  liquidationDistance(direction?: Direction): Decimal | undefined;
}
