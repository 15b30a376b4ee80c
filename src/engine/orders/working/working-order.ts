import {
  canTransition,
  FIXED_ONE,
  InvariantError,
  isFinalStatus,
  multiplyFixed,
  Order,
  type DecimalInput,
  type Direction,
  type EpochMs,
  type Fixed,
  type Instrument,
  type OrderCause,
  type OrderIntent,
  type OrderReason,
  type OrderRequest,
  type OrderState,
  type OrderStatus,
  type VenueOrderId,
} from '../../../domain/index.js';
import type { VirtualTimer } from '../../time/virtual-timer.js';
import { causeOf, labelOf, type OrderRole } from './order-cause.js';
import type { WorkState } from '../worked/work-state.js';

/** Base in one unit of quantity: 1, or a linear contract's multiplier. The money of an inverse contract is scaled by its multiplier in the same way. */
export function sizeOf(instrument: Instrument): Fixed {
  return instrument.kind === 'futures' ? instrument.multiplier : FIXED_ONE;
}

/** The order of an intent before it was split or replaced: its parts, and the orders that replace them, fill it together. */
export interface ParentOrder {
  filledQuantity: Fixed;
}

/** New terms of a LIMIT order. */
export interface Replacement {
  readonly intentId: number;
  /** Undefined if the new order has no limit price. */
  readonly limitPrice: DecimalInput | undefined;
  /** With what the replaced order has filled itself. */
  readonly quantity: Fixed;
}

/** Totals that count an order. */
export interface OrderTotals {
  /** Call after a change of the order's status, remaining quantity or replacement. */
  changed(order: WorkingOrder): void;
}

/** One order as the engine follows it from decision to end. */
export class WorkingOrder {
  readonly request: OrderRequest;
  readonly role: OrderRole;
  readonly direction: Direction;
  readonly intent: OrderIntent;
  /** Id of the order's intent, or of the first intent in a chain of replacements. */
  readonly origin: number;
  readonly parent: ParentOrder;
  /** Set for an order of a worked intent. */
  readonly worked: WorkState | undefined;
  readonly createdTime: EpochMs;
  status: OrderStatus = 'submitting';
  venueOrderId: VenueOrderId | undefined;
  filledQuantity: Fixed = 0n;
  filledNotional: Fixed = 0n;
  reason: OrderReason | undefined;
  updatedTime: EpochMs;
  /** Amount that the engine holds back for it, in the asset that it spends. */
  reserved: Fixed = 0n;
  /** For contracts: mark when the order was sent, or last without a mark. A price beyond it loses the difference at once. */
  readonly referencePrice: Fixed | undefined;
  /** Whether it is a LIMIT that stands for a market order: the part that does not fill at once is canceled (DESIGN R7). */
  readonly cancelsRest: boolean;
  /** Whether the order was given up, for example by the strategy or at its expiry: its remaining quantity is not sent again. */
  isWithdrawn = false;
  /** Row in the order log; −1 before the order is added. */
  row = -1;
  /** Whether its id can be computed from its intent id, because it is the first order of the intent. */
  hasFirstId = false;
  /** Totals that count it, while many orders work. */
  totals: OrderTotals | undefined;
  readonly cause: OrderCause;
  readonly label: string | undefined;
  /** Whether nothing can happen to it any more. Follows the status. */
  isFinal = false;
  /** The timer that withdraws the order at its expiry. It is canceled when the order ends before. */
  expiry: VirtualTimer | undefined;
  /** Terms on which the remaining quantity is sent again when this order has ended. Changed by {@link replaceBy}. */
  replacement: Replacement | undefined;
  readonly #size: Fixed;

  constructor(init: {
    readonly request: OrderRequest;
    readonly role: OrderRole;
    readonly direction: Direction;
    readonly intent: OrderIntent;
    /** @defaultValue that of its request */
    readonly origin?: number | undefined;
    /** @defaultValue one of its own */
    readonly parent?: ParentOrder | undefined;
    readonly worked?: WorkState | undefined;
    readonly cancelsRest: boolean;
    readonly createdTime: EpochMs;
    /** As {@link sizeOf}. @defaultValue 1 */
    readonly size?: Fixed;
    readonly referencePrice?: Fixed | undefined;
  }) {
    this.request = init.request;
    this.role = init.role;
    this.direction = init.direction;
    this.intent = init.intent;
    this.origin = init.origin ?? init.request.intentId;
    this.parent = init.parent ?? { filledQuantity: 0n };
    this.worked = init.worked;
    this.cancelsRest = init.cancelsRest;
    this.createdTime = init.createdTime;
    this.updatedTime = init.createdTime;
    this.#size = init.size ?? FIXED_ONE;
    this.referencePrice = init.referencePrice;
    this.cause = causeOf(init);
    this.label = labelOf(init);
  }

  replaceBy(replacement: Replacement | undefined): void {
    this.replacement = replacement;
    if (this.totals !== undefined) this.totals.changed(this);
  }

  /** Whether the part that does not fill at once rests at the venue. */
  get canRest(): boolean {
    const { request, cancelsRest } = this;
    return (
      request.type === 'limit' &&
      !cancelsRest &&
      request.timeInForce !== 'IOC' &&
      request.timeInForce !== 'FOK'
    );
  }

  /** Whether it fills at once as far as possible, and the rest ends. */
  get takesWhatThereIs(): boolean {
    const { request, cancelsRest } = this;
    return request.type === 'market' || cancelsRest || request.timeInForce === 'IOC';
  }

  /** Whether it may fill and the venue has not answered it. An order with an unknown outcome may have arrived. */
  get isOnTheWay(): boolean {
    const { status, venueOrderId, filledQuantity } = this;
    return (
      venueOrderId === undefined && filledQuantity === 0n && !this.isFinal && status !== 'unknown'
    );
  }

  /** Quantity that may still fill, in the order's unit; for quote-sized orders the quote not yet spent. */
  get remaining(): Fixed {
    const { request, filledQuantity, filledNotional } = this;
    if (request.unit !== 'quote') return request.quantity - filledQuantity;
    const spent =
      this.#size === FIXED_ONE ? filledNotional : multiplyFixed(filledNotional, this.#size);
    return request.quantity - spent;
  }

  /** @throws {InvariantError} `E_ORDER_TRANSITION` when the life cycle does not allow it. */
  moveTo(status: OrderStatus, time: EpochMs): void {
    if (status !== this.status && !canTransition(this.status, status)) {
      throw new InvariantError(
        'E_ORDER_TRANSITION',
        `order ${this.request.clientOrderId} cannot go from ${this.status} to ${status}`,
      );
    }
    this.continueAs(status, time);
    if (this.totals !== undefined) this.totals.changed(this);
  }

  /** Takes a status over, as a checkpoint has it. */
  continueAs(status: OrderStatus, time: EpochMs): void {
    this.status = status;
    this.isFinal = isFinalStatus(status);
    this.updatedTime = time;
  }

  /** Notes that the venue has accepted it. Returns whether a cancel was refused before that: it arrived before the order. */
  accept(venueOrderId: VenueOrderId, time: EpochMs): boolean {
    this.venueOrderId = venueOrderId;
    if (this.status !== 'submitting' && this.status !== 'unknown') return this.status === 'open';
    this.moveTo('open', time);
    return false;
  }

  /** Counts a fill; `notional`: price × quantity. */
  addFill(quantity: Fixed, notional: Fixed): void {
    this.filledQuantity += quantity;
    this.filledNotional += notional;
    this.parent.filledQuantity += quantity;
    if (this.totals !== undefined) this.totals.changed(this);
  }

  /** Marks the order as withdrawn, so that its remaining quantity is not sent again. */
  giveUp(): void {
    this.isWithdrawn = true;
    if (this.totals !== undefined) this.totals.changed(this);
  }

  /** The live state, which changes with the order: to be read at once, or after the run. */
  get state(): OrderState {
    return this;
  }

  /** A copy of the present state, which does not change. */
  snapshot(): Order {
    const {
      status,
      venueOrderId,
      filledQuantity,
      filledNotional,
      reason,
      createdTime,
      updatedTime,
    } = this;
    const state: OrderState = {
      status,
      venueOrderId,
      filledQuantity,
      filledNotional,
      reason,
      createdTime,
      updatedTime,
    };
    return new Order(this.request, state, this.label);
  }
}
