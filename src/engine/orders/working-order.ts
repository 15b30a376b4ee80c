import {
  addFixed,
  canTransition,
  FIXED_ONE,
  InvariantError,
  isFinalStatus,
  multiplyFixed,
  Order,
  subtractFixed,
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
} from '../../domain/index.js';
import type { VirtualTimer } from '../virtual-timer.js';
import type { WorkState } from './work-state.js';
import { causeOf, labelOf, type OrderRole } from './order-cause.js';

/** Base in one unit of quantity: 1, or a linear contract's multiplier; what an inverse contract's money is counted by likewise. */
export function sizeOf(instrument: Instrument): Fixed {
  return instrument.kind === 'futures' ? instrument.multiplier : FIXED_ONE;
}

/** New terms of a LIMIT order; what it has filled counts toward the quantity. */
export interface Replacement {
  readonly intentId: number;
  /** Undefined where it takes what there is. */
  readonly limitPrice: DecimalInput | undefined;
  readonly quantity: Fixed;
}

/** Who counts an order among others. */
export interface OrderTotals {
  /** Its status has changed, what of it may still fill, or what follows it. */
  changed(order: WorkingOrder): void;
}

/** One order as the engine follows it from decision to end. */
export class WorkingOrder {
  readonly request: OrderRequest;
  readonly role: OrderRole;
  readonly direction: Direction;
  readonly intent: OrderIntent;
  /** Number of the intent that it serves, or of the first of those that replaced each other. */
  readonly origin: number;
  /** Where it is one of several by which an intent is worked. */
  readonly worked: WorkState | undefined;
  readonly createdTime: EpochMs;
  status: OrderStatus = 'submitting';
  venueOrderId: VenueOrderId | undefined;
  filledQuantity: Fixed = 0n;
  filledNotional: Fixed = 0n;
  reason: OrderReason | undefined;
  updatedTime: EpochMs;
  /** What the engine holds back for it, in the asset it spends. */
  reserved: Fixed = 0n;
  /** Mark, else last, when it was sent: what a contract's price beyond it would lose at once. */
  readonly referencePrice: Fixed | undefined;
  /** A LIMIT that stands for a market order: what it does not fill at once is canceled (DESIGN R7). */
  readonly cancelsRest: boolean;
  /** Canceled because the strategy said so, or its time was over: its remaining quantity is not sent again. */
  isWithdrawn = false;
  /** Its place among all there have been. */
  row = -1;
  /** Whether its id follows from the number of its intent: it is the first order of that. */
  hasFirstId = false;
  /** What it is counted in, while it works beside many. */
  totals: OrderTotals | undefined;
  readonly #size: Fixed;
  #expiry: VirtualTimer | undefined;
  #replacement: Replacement | undefined;

  constructor(init: {
    readonly request: OrderRequest;
    readonly role: OrderRole;
    readonly direction: Direction;
    readonly intent: OrderIntent;
    /** @defaultValue that of its request */
    readonly origin?: number | undefined;
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
    this.worked = init.worked;
    this.cancelsRest = init.cancelsRest;
    this.createdTime = init.createdTime;
    this.updatedTime = init.createdTime;
    this.#size = init.size ?? FIXED_ONE;
    this.referencePrice = init.referencePrice;
  }

  /** Withdraws it when it is no longer good. */
  get expiry(): VirtualTimer | undefined {
    return this.#expiry;
  }

  set expiry(timer: VirtualTimer | undefined) {
    this.#expiry = timer;
  }

  /** Terms on which the remaining quantity is sent again when this order has ended. */
  get replacement(): Replacement | undefined {
    return this.#replacement;
  }

  set replacement(replacement: Replacement | undefined) {
    this.#replacement = replacement;
    if (this.totals !== undefined) this.totals.changed(this);
  }

  /** Whether what it does not fill at once stays at the venue. */
  get canRest(): boolean {
    const { request, cancelsRest } = this;
    return (
      request.type === 'limit' &&
      !cancelsRest &&
      request.timeInForce !== 'IOC' &&
      request.timeInForce !== 'FOK'
    );
  }

  /** Whether it fills as far as it can and no further. */
  get takesWhatThereIs(): boolean {
    const { request, cancelsRest } = this;
    return request.type === 'market' || cancelsRest || request.timeInForce === 'IOC';
  }

  get isFinal(): boolean {
    return isFinalStatus(this.status);
  }

  /** What may still fill, in the order's unit; for quote-sized orders the quote not yet spent. */
  get remaining(): Fixed {
    const { request, filledQuantity, filledNotional } = this;
    if (request.unit !== 'quote') return subtractFixed(request.quantity, filledQuantity);
    const spent =
      this.#size === FIXED_ONE ? filledNotional : multiplyFixed(filledNotional, this.#size);
    return request.quantity - spent;
  }

  get cause(): OrderCause {
    return causeOf(this);
  }

  get label(): string | undefined {
    return labelOf(this);
  }

  /** @throws {InvariantError} `E_ORDER_TRANSITION` when the life cycle does not allow it. */
  moveTo(status: OrderStatus, time: EpochMs): void {
    if (status !== this.status && !canTransition(this.status, status)) {
      throw new InvariantError(
        'E_ORDER_TRANSITION',
        `order ${this.request.clientOrderId} cannot go from ${this.status} to ${status}`,
      );
    }
    this.status = status;
    this.updatedTime = time;
    if (this.totals !== undefined) this.totals.changed(this);
  }

  /** Counts a fill; `notional`: price × quantity. */
  addFill(quantity: Fixed, notional: Fixed): void {
    this.filledQuantity = addFixed(this.filledQuantity, quantity);
    this.filledNotional = addFixed(this.filledNotional, notional);
    if (this.totals !== undefined) this.totals.changed(this);
  }

  /** Neither a replacement nor its remaining quantity follows it any more. */
  giveUp(): void {
    this.isWithdrawn = true;
    if (this.totals !== undefined) this.totals.changed(this);
  }

  /** As it is now, for who reads it at once, or after the run: it changes with the order. */
  get state(): OrderState {
    return this;
  }

  /** As it is now, for good. */
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
    return new Order(this.request, state, labelOf(this));
  }
}
