import type { Asset, Fixed, HaltAction, InstrumentId } from '../../domain/index.js';

/** Hours in which entries are allowed, UTC. */
export interface TradingHours {
  /** Days on which the window opens: 0 is Sunday, 6 Saturday. */
  readonly days: readonly number[];
  /** Minutes after 00:00, inclusive. */
  readonly from: number;
  /** Minutes after 00:00, exclusive. If it is not after `from`, the window ends on the next day. */
  readonly to: number;
}

/**
 * The operator's protections. A protection is off if its key is absent. They guard entries; exits and cancels pass. Money is in the equity currency,
 * and ratios are fractions (0.1 is 10 %). Positions include their working opening orders, at the last price.
 */
export interface ProtectionConfig {
  /** Base or contracts, per direction. */
  readonly maxPositionQuantity?: ReadonlyMap<InstrumentId, Fixed>;
  /** Per instrument and direction. */
  readonly maxPositionNotional?: Fixed;
  readonly maxOrderNotional?: Fixed;
  /** Long and short positions of all instruments added up. */
  readonly maxTotalNotional?: Fixed;
  /** Net of long and short, over all instruments with this base. */
  readonly maxAssetExposure?: ReadonlyMap<Asset, Fixed>;
  /** Net of long and short, over all instruments. */
  readonly maxNetExposure?: Fixed;
  /** Total notional ÷ equity. */
  readonly maxLeverage?: Fixed;
  /** Initial margin of futures positions and entries ÷ equity. */
  readonly maxMarginUse?: Fixed;
  readonly maxOpenPositions?: number;
  /** Per instrument. */
  readonly maxOpenOrders?: number;
  readonly maxTotalOpenOrders?: number;

  /** Largest distance of a limit price from the last price, and of the price from the mark, in either direction. */
  readonly priceBand?: { readonly last?: Fixed; readonly mark?: Fixed };
  /** Age above which the last price is too old to trade on. */
  readonly maxPriceAgeMs?: number;

  /** Orders of any kind in the last 60 s. */
  readonly maxOrdersPerMinute?: number;
  /** Orders of any kind since `resetHour`. */
  readonly maxOrdersPerDay?: number;
  /** Shortest time from one entry order to the next, per instrument. */
  readonly minEntryIntervalMs?: number;
  /** Time without entries after a stop of the instrument fired. */
  readonly cooldownAfterStopMs?: number;
  readonly tradingHours?: readonly TradingHours[];
  /** Time without entries around each funding time of a contract. */
  readonly fundingBlock?: { readonly beforeMs: number; readonly afterMs: number };

  /** Equity lost since `resetHour`, open positions included. At this loss entries halt until the next `resetHour`. */
  readonly maxDailyLoss?: Fixed;
  /** The same as a share of the equity at `resetHour`. */
  readonly maxDailyLossRatio?: Fixed;
  /** Distance of equity below its highest in `drawdownWindowMs`. At this distance entries halt for `haltMs`. */
  readonly maxDrawdown?: Fixed;
  readonly maxDrawdownRatio?: Fixed;
  /** @defaultValue since the start */
  readonly drawdownWindowMs?: number;
  /** Losing trades in a row, each from flat to flat. At this number entries halt for `haltMs`. */
  readonly maxConsecutiveLosses?: number;
  /** How long a drawdown or a series of losses halts. @defaultValue until the operator resumes */
  readonly haltMs?: number;
  /** UTC hour at which a day begins. @defaultValue 0 */
  readonly resetHour?: number;
  /** @defaultValue 'block' */
  readonly onHalt?: HaltAction;
}
