import type {
  Asset,
  EpochMs,
  FeeRates,
  Fixed,
  InstrumentId,
  Liquidity,
  MarginMode,
  OrderReason,
  OrderRequest,
  OrderStatus,
  PositionAction,
  QuantityUnit,
  RiskApproved,
  Side,
  TimeInForce,
  VenueOrderId,
} from '../domain/index.js';

/**
 * An order as the venue reports it, ours or external. What a venue may leave out is `undefined`, never guessed.
 *
 * `quantity` is counted as it was sent: a spot MARKET BUY and a futures MARKET OPEN echo the quote amount, while `filledQuantity` is
 * in base or contracts, so it may exceed `quantity`.
 */
export interface VenueOrder {
  readonly instrumentId: InstrumentId;
  readonly venueOrderId: VenueOrderId;
  /** Whatever text the sender gave. Futures answers of this interface do not carry it. */
  readonly clientOrderId: string | undefined;
  readonly side: Side;
  /** Futures only. */
  readonly action: PositionAction | undefined;
  readonly type: 'market' | 'limit' | undefined;
  readonly timeInForce: TimeInForce | undefined;
  readonly status: OrderStatus;
  /** Quote per base; undefined for MARKET orders. */
  readonly limitPrice: Fixed | undefined;
  readonly quantity: Fixed;
  readonly filledQuantity: Fixed;
  /** Volume-weighted price of the fills; undefined before the first. */
  readonly averagePrice: Fixed | undefined;
  /** Money of the fills in quote (inverse: base), where the venue states it. */
  readonly filledNotional: Fixed | undefined;
  readonly createdTime: EpochMs | undefined;
  /** Futures, where the venue shows it. */
  readonly marginMode: MarginMode | undefined;
  readonly leverage: Fixed | undefined;
}

/** An order with the fields that a venue may add in its history. Futures only. */
export interface HistoryOrder extends VenueOrder {
  readonly contractId?: string | undefined;
  /** The same for orders that open and that close. */
  readonly feeRates?: Pick<FeeRates, 'maker' | 'taker'> | undefined;
}

/**
 * An order as it is sent to the venue, without the fields that only we know. An approved {@link OrderRequest} is one; a server reads one from
 * a request.
 */
export type VenueOrderRequest = VenueMarketRequest | VenueLimitRequest;

interface VenueRequestCommon {
  readonly instrumentId: InstrumentId;
  /** The text that the sender gave, if any. */
  readonly clientOrderId: string | undefined;
  readonly side: Side;
  /** Futures only: spot and margin requests do not say it. */
  readonly action: PositionAction | undefined;
  /** In `unit`. */
  readonly quantity: Fixed;
  readonly unit: QuantityUnit;
  /** Futures only. */
  readonly marginMode?: MarginMode | undefined;
}

interface VenueMarketRequest extends VenueRequestCommon {
  readonly type: 'market';
}

interface VenueLimitRequest extends VenueRequestCommon {
  readonly type: 'limit';
  readonly limitPrice: Fixed;
  readonly timeInForce: TimeInForce;
}

/** One of our executions as the venue reports it. */
export interface VenueTrade {
  readonly instrumentId: InstrumentId;
  /** Unique per instrument; the order of ids is the order of trades. */
  readonly venueTradeId: string;
  /** Our order: the buyer's or the seller's, as `side` says. */
  readonly venueOrderId: VenueOrderId;
  readonly buyOrderId: VenueOrderId;
  readonly sellOrderId: VenueOrderId;
  readonly side: Side;
  readonly liquidity: Liquidity;
  readonly price: Fixed;
  /** Base or contracts. */
  readonly quantity: Fixed;
  /** Money that changed hands, in quote, where the venue states it (futures). */
  readonly notional: Fixed | undefined;
  /** Paid when positive. */
  readonly fee: Fixed;
  /** Undefined on futures, where it is the contract's margin asset. */
  readonly feeAsset: Asset | undefined;
  /** When it happened at the venue. */
  readonly time: EpochMs;
  readonly buyUserId: string | undefined;
  readonly sellUserId: string | undefined;
}

/** Result of a closed position or a part of it, futures. Money in the margin asset. */
export interface ProfitRecord {
  readonly id: string;
  readonly contractId: string | undefined;
  readonly side: Side;
  readonly marginMode: MarginMode | undefined;
  readonly quantity: Fixed;
  readonly leverage: Fixed | undefined;
  readonly openPrice: Fixed;
  readonly closePrice: Fixed | undefined;
  /** Fees and funding excluded. */
  readonly closeProfit: Fixed;
  /** Negative when paid. */
  readonly tradeFee: Fixed;
  /** Negative when paid. */
  readonly fundingFee: Fixed;
  /** closeProfit + tradeFee + fundingFee. */
  readonly totalProfit: Fixed;
  readonly createdTime: EpochMs | undefined;
  readonly updatedTime: EpochMs | undefined;
}

/** Trigger of a conditional order: each kind has its own direction of crossing. Source: interface, `triggerType` 1 to 4. */
export type TriggerKind = 'stop-loss' | 'take-profit' | 'chase-up' | 'chase-down';

/** A waiting conditional order, from a deployment that can list them. Futures only. */
export interface VenueTrigger {
  readonly instrumentId: InstrumentId;
  readonly triggerId: string;
  readonly side: Side;
  readonly action: PositionAction;
  /** Undefined if the venue does not report it. */
  readonly trigger: TriggerKind | undefined;
  /** Quote per base. */
  readonly triggerPrice: Fixed;
  /** Contracts; of a MARKET order that opens, money. */
  readonly quantity: Fixed;
  readonly createdTime: EpochMs | undefined;
}

/** An order the venue holds back until its last traded price touches a level. Futures only. */
export interface ConditionalOrder {
  /** Sent by the venue once the trigger fires; no margin is held before. */
  readonly order: RiskApproved<OrderRequest>;
  readonly trigger: TriggerKind;
  /** Quote per base. */
  readonly triggerPrice: Fixed;
}

/** The venue took the order. It may already be filled, or end rejected a moment later: poll it. */
interface SubmitAccepted {
  readonly kind: 'accepted';
  readonly venueOrderId: VenueOrderId;
  /** Status of the order in the answer; undefined if the answer carries only an id. */
  readonly status: OrderStatus | undefined;
  readonly filledQuantity: Fixed | undefined;
}

/** The venue refused the order and did nothing. */
export interface SubmitRejected {
  readonly kind: 'rejected';
  readonly reason: OrderReason;
}

export type SubmitOutcome = SubmitAccepted | SubmitRejected;

/** The venue holds the condition. Its id is the trigger's, not that of the order it will make. */
interface ConditionAccepted {
  readonly kind: 'accepted';
  readonly triggerId: string;
}

export type ConditionalOutcome = ConditionAccepted | SubmitRejected;

/** Names a working order: the venue's id is needed, our own is sent along where it exists. */
export interface OrderTarget {
  readonly instrumentId: InstrumentId;
  readonly venueOrderId: VenueOrderId;
  readonly clientOrderId?: string;
}

/**
 * Canceling is asynchronous: `requested` says the venue took the request, and the order may still fill before it ends. `refused` says it
 * changed nothing: the order is final already, or unknown.
 */
export type CancelOutcome =
  | { readonly kind: 'requested'; readonly status: OrderStatus }
  | { readonly kind: 'refused'; readonly reason: OrderReason };
