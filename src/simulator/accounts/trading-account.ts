import type {
  Asset,
  EpochMs,
  Fixed,
  Instrument,
  LimitOrderRequest,
  Liquidity,
  MarketOrderRequest,
  OrderReason,
  OrderRequest,
} from '../../domain/index.js';
import type { PathPrice } from '../path/candle-path.js';

/** A LIMIT order as its account sees it. */
export interface HeldOrder {
  readonly request: LimitOrderRequest;
  readonly instrument: Instrument;
  /** Unfilled quantity, in base or contracts. */
  readonly remaining: Fixed;
  /** Amount held for the order, in an asset that the account knows; 0 before {@link TradingAccount.hold}. Only the account changes it. */
  held: Fixed;
  /** The need of the whole order at its arrival, if its account computes it once. Remaining parts hold their share of it. */
  needed?: Fixed | undefined;
}

/** A fill to be posted. */
export interface Execution {
  readonly request: OrderRequest;
  readonly instrument: Instrument;
  readonly price: Fixed;
  /** Base or contracts. */
  readonly quantity: Fixed;
  readonly liquidity: Liquidity;
  readonly time: EpochMs;
}

/** The fill of a MARKET order if the volume did not limit it. */
export interface MarketDemand extends Execution {
  readonly request: MarketOrderRequest;
}

/** The cost of a fill. */
export interface Charge {
  /** Paid when positive. */
  readonly fee: Fixed;
  readonly feeAsset: Asset;
  /** The first part of an opening fill, if it closes the opposite position (one-way mode). Its fee is not in `fee`. */
  readonly closing?: {
    readonly quantity: Fixed;
    readonly fee: Fixed;
    /** Quantity that is left of the position that it closed. */
    readonly left: Fixed;
  };
}

/**
 * The money of one product at the venue, as the matcher sees it. It checks whether an order is covered, holds the needs of working orders, and posts
 * fills. So the matcher does not depend on the product. An order that was covered when it arrived can be posted up to its held part, unless
 * {@link TradingAccount.refuseFill} refuses.
 */
export interface TradingAccount {
  /** Quantity that the money of a MARKET order buys at a price, floored to the step. */
  quantityFor(
    money: Fixed,
    instrument: Instrument,
    at: { readonly price: PathPrice; readonly step: Fixed },
  ): Fixed;

  /** Why a MARKET order is not covered, with the venue's code; undefined if it is covered. Holds nothing, because the order fills or ends at once. */
  refuseMarket(demand: MarketDemand): OrderReason | undefined;

  /** Why a LIMIT order is not covered, with the venue's code; undefined when {@link hold} may follow. */
  refuseLimit(order: HeldOrder, time: EpochMs): OrderReason | undefined;

  /** Why a working order must end instead of filling; undefined if it fills. Called before each fill of a resting order. */
  refuseFill(order: HeldOrder, quantity: Fixed, time: EpochMs): OrderReason | undefined;

  /** Holds the need of the order's remaining quantity. This replaces what was held for the order. */
  hold(order: HeldOrder, time: EpochMs): void;

  /** Releases what is held for the order. */
  release(order: HeldOrder): void;

  /** Books a fill. The matcher releases the order's hold before. */
  post(execution: Execution): Charge;
}
