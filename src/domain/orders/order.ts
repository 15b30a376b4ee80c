import type { Brand } from '../amounts/brand.js';
import { divideFixed, type Fixed } from '../amounts/fixed.js';
import { priceFromFixed, type Price } from '../amounts/price.js';
import { quantityFromFixed, type Quantity } from '../amounts/quantity.js';
import { DomainError } from '../errors.js';
import type { InstrumentId, MarginMode } from '../instruments/instrument.js';
import type { EpochMs } from '../time.js';
import type { PositionAction, Side, TimeInForce } from './intent.js';

/** Pure function of bot, intent and attempt; shorter than 32 characters. */
export type ClientOrderId = Brand<string, 'ClientOrderId'>;
/** The venue's id: an integer above 2^53, therefore text. */
export type VenueOrderId = Brand<string, 'VenueOrderId'>;

/** @throws {DomainError} `E_ORDER_ID` unless the text is 1 to 64 letters, digits, `-` or `_`. */
export function parseVenueOrderId(text: string): VenueOrderId {
  // A program in JavaScript may pass something else than a text: a number above 2^53 would have lost digits.
  const given: unknown = text;
  if (typeof given !== 'string' || !/^[\w-]{1,64}$/.test(given)) {
    throw new DomainError(
      'E_ORDER_ID',
      `expected a venue order id of 1 to 64 letters or digits, received "${String(given).slice(0, 40)}"`,
    );
  }
  return text as VenueOrderId;
}

/** The unit of an order's quantity. On this venue, a MARKET order that opens takes a quote amount. */
export type QuantityUnit = 'base' | 'quote' | 'contracts';

/** An order as it is sent: every number on the venue's grid. Only `risk` can mark it as approved ({@link RiskApproved}). */
export type OrderRequest = MarketOrderRequest | LimitOrderRequest;

interface OrderRequestCommon {
  readonly clientOrderId: ClientOrderId;
  /** Sequence number of the intent it serves. */
  readonly intentId: number;
  readonly instrumentId: InstrumentId;
  readonly side: Side;
  readonly action: PositionAction;
  /** In `unit`. */
  readonly quantity: Fixed;
  readonly unit: QuantityUnit;
  /** Futures only. */
  readonly marginMode?: MarginMode;
}

export interface MarketOrderRequest extends OrderRequestCommon {
  readonly type: 'market';
}

export interface LimitOrderRequest extends OrderRequestCommon {
  readonly type: 'limit';
  readonly limitPrice: Fixed;
  readonly timeInForce: TimeInForce;
}

/**
 * `submitting → open → partially-filled → filled | canceled | rejected | expired`, with `canceling`, and `unknown` when a submit had
 * no answer: the order may exist, counts as working, and is looked for, never sent again.
 */
export const ORDER_STATUSES = [
  'submitting',
  'open',
  'partially-filled',
  'canceling',
  'unknown',
  'filled',
  'canceled',
  'rejected',
  'expired',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Statuses an order may take from each status. A final status is never left. */
export const ORDER_TRANSITIONS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  submitting: [
    'open',
    'partially-filled',
    'canceling',
    'unknown',
    'filled',
    'canceled',
    'rejected',
    'expired',
  ],
  open: ['partially-filled', 'canceling', 'unknown', 'filled', 'canceled', 'rejected', 'expired'],
  'partially-filled': ['canceling', 'unknown', 'filled', 'canceled', 'expired'],
  // A refused cancel puts the order back to work; a cancel may be sent before the order's own rejection is known.
  canceling: ['open', 'partially-filled', 'unknown', 'filled', 'canceled', 'rejected', 'expired'],
  unknown: ['open', 'partially-filled', 'canceling', 'filled', 'canceled', 'rejected', 'expired'],
  filled: [],
  canceled: [],
  rejected: [],
  expired: [],
};

/** Whether nothing can happen to an order in this status any more. */
export function isFinalStatus(status: OrderStatus): boolean {
  return (
    status === 'filled' || status === 'canceled' || status === 'rejected' || status === 'expired'
  );
}

export function canTransition(from: OrderStatus, to: OrderStatus): boolean {
  // A loop, because every order asks, and a call costs more than the few comparisons.
  for (const status of ORDER_TRANSITIONS[from]) if (status === to) return true;
  return false;
}

/** Why an order ended or was not accepted. */
export interface OrderReason {
  /** The venue's code if it gave one, otherwise a name of ours: docs/simulation.md lists them. */
  readonly code: string;
  readonly text: string;
}

export const CANCELED_ON_REQUEST: OrderReason = { code: 'on-request', text: 'canceled on request' };

/** The reason of an order that ended at the venue, which does not say why. For POST_ONLY the text adds the likely cause. `hasFills`: whether it has fills. */
export function endedByVenue(
  status: OrderStatus,
  request: OrderRequest,
  hasFills: boolean,
): OrderReason {
  const text = `the venue shows the order as ${status}`;
  const isPostOnly = request.type === 'limit' && request.timeInForce === 'POST_ONLY';
  return isPostOnly && status === 'canceled' && !hasFills
    ? {
        code: 'by-venue',
        text: `${text}: POST_ONLY, it would have crossed the book unless somebody canceled it there`,
      }
    : { code: 'by-venue', text };
}

export interface OrderState {
  readonly status: OrderStatus;
  readonly venueOrderId: VenueOrderId | undefined;
  /** In base or contracts, also for orders sized in quote. */
  readonly filledQuantity: Fixed;
  /** Sum of quantity × price of the fills. */
  readonly filledNotional: Fixed;
  readonly reason: OrderReason | undefined;
  readonly createdTime: EpochMs;
  readonly updatedTime: EpochMs;
}

/** One order as a strategy or a report sees it at one moment. Decimals are made when they are read. */
export class Order {
  readonly request: OrderRequest;
  readonly state: OrderState;
  /** Label of the strategy's intent that it serves; undefined if the intent has no label, or the order serves no intent of the strategy. */
  readonly label: string | undefined;

  constructor(request: OrderRequest, state: OrderState, label?: string) {
    this.request = request;
    this.state = state;
    this.label = label;
  }

  get clientOrderId(): ClientOrderId {
    return this.request.clientOrderId;
  }

  get intentId(): number {
    return this.request.intentId;
  }

  get instrumentId(): InstrumentId {
    return this.request.instrumentId;
  }

  get side(): Side {
    return this.request.side;
  }

  get action(): PositionAction {
    return this.request.action;
  }

  get status(): OrderStatus {
    return this.state.status;
  }

  get reason(): OrderReason | undefined {
    return this.state.reason;
  }

  /** In `unit`. */
  get quantity(): Quantity {
    return quantityFromFixed(this.request.quantity);
  }

  get unit(): QuantityUnit {
    return this.request.unit;
  }

  get limitPrice(): Price | undefined {
    return this.request.type === 'limit' ? priceFromFixed(this.request.limitPrice) : undefined;
  }

  /** In base or contracts. */
  get filledQuantity(): Quantity {
    return quantityFromFixed(this.state.filledQuantity);
  }

  /** Volume-weighted price of the fills so far; undefined before the first. */
  get averagePrice(): Price | undefined {
    const { filledNotional, filledQuantity } = this.state;
    return filledQuantity === 0n
      ? undefined
      : priceFromFixed(divideFixed(filledNotional, filledQuantity));
  }
}
