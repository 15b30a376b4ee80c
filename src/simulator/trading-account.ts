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
} from '../domain/index.js';
import type { PathPrice } from './candle-path.js';

/** A LIMIT order as its account sees it. */
export interface HeldOrder {
  readonly request: LimitOrderRequest;
  readonly instrument: Instrument;
  /** Base or contracts that are not filled yet. */
  readonly remaining: Fixed;
  /** What is held for it, in an asset that the account knows; 0 before {@link TradingAccount.hold}. Only the account changes it. */
  held: Fixed;
  /** What the whole order needed when it arrived, where its account asks once: parts that remain hold their share of it. */
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

/** A MARKET order as it would be filled if the volume did not limit it. */
export interface MarketDemand extends Execution {
  readonly request: MarketOrderRequest;
}

/** What a fill cost. */
export interface Charge {
  /** Paid when positive. */
  readonly fee: Fixed;
  readonly feeAsset: Asset;
  /** The first part of a fill that opens, where it closes what was held the other way (one-way mode); its fee is not in `fee`. */
  readonly closing?: {
    readonly quantity: Fixed;
    readonly fee: Fixed;
    /** What is left of the position that it closed. */
    readonly left: Fixed;
  };
}

/**
 * Money of one product at the venue, as the matcher needs it: it says whether an order is covered, holds what working orders need, and
 * posts fills. So the matcher knows no product. An order that was covered when it arrived can be posted up to its held part, unless
 * {@link TradingAccount.refuseFill} says otherwise.
 */
export interface TradingAccount {
  /** Quantity that the money of a MARKET order buys at a price, floored to the step. */
  quantityFor(
    money: Fixed,
    instrument: Instrument,
    at: { readonly price: PathPrice; readonly step: Fixed },
  ): Fixed;

  /** Why a MARKET order is not covered, with the venue's code; undefined when it is. Holds nothing: it fills or ends at once. */
  refuseMarket(demand: MarketDemand): OrderReason | undefined;

  /** Why a LIMIT order is not covered, with the venue's code; undefined when {@link hold} may follow. */
  refuseLimit(order: HeldOrder, time: EpochMs): OrderReason | undefined;

  /** Why an order that works does not fill any more, and ends; undefined when it fills. Asked before each fill of a resting order. */
  refuseFill(order: HeldOrder, quantity: Fixed, time: EpochMs): OrderReason | undefined;

  /** Holds what the remaining quantity of the order needs, instead of what was held for it. */
  hold(order: HeldOrder, time: EpochMs): void;

  /** Frees what is held for the order. */
  release(order: HeldOrder): void;

  /** Books a fill. What the order held has been released before. */
  post(execution: Execution): Charge;

  /** Everything owned, held parts included, by asset. */
  totals(): ReadonlyMap<Asset, Fixed>;

  /** What of an asset working orders hold. */
  locked(asset: Asset): Fixed;
}
