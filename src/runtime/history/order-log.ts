import type {
  EpochMs,
  Fixed,
  OrderReason,
  OrderRequest,
  OrderState,
  OrderStatus,
  VenueOrderId,
} from '../../domain/index.js';
import type { WorkingOrder } from '../desk/working-order.js';
import type { RecordList, RecordedOrder } from '../records.js';

/**
 * Every order there has been, oldest first. Of one that has ended only columns are kept: objects that stay are copied twice while garbage
 * is collected, and the dozen of an order took a seventh of the time that it takes from wish to fill.
 */
export class OrderLog implements RecordList<RecordedOrder> {
  /** By row; undefined once it has ended. */
  readonly #working: (WorkingOrder | undefined)[] = [];
  readonly #requests: OrderRequest[] = [];
  readonly #statuses: OrderStatus[] = [];
  readonly #venueOrderIds: (VenueOrderId | undefined)[] = [];
  readonly #filledQuantities: Fixed[] = [];
  readonly #filledNotionals: Fixed[] = [];
  readonly #reasons: (OrderReason | undefined)[] = [];
  readonly #createdTimes: EpochMs[] = [];
  readonly #updatedTimes: EpochMs[] = [];

  get length(): number {
    return this.#requests.length;
  }

  add(order: WorkingOrder): void {
    order.row = this.#requests.length;
    this.#working.push(order);
    this.#requests.push(order.request);
    this.#statuses.push(order.status);
    this.#venueOrderIds.push(undefined);
    this.#filledQuantities.push(0n);
    this.#filledNotionals.push(0n);
    this.#reasons.push(undefined);
    this.#createdTimes.push(order.createdTime);
    this.#updatedTimes.push(order.createdTime);
  }

  /** Lets go of an order that has been added and has ended. */
  end(order: WorkingOrder): void {
    const { row } = order;
    this.#working[row] = undefined;
    this.#statuses[row] = order.status;
    this.#venueOrderIds[row] = order.venueOrderId;
    this.#filledQuantities[row] = order.filledQuantity;
    this.#filledNotionals[row] = order.filledNotional;
    this.#reasons[row] = order.reason;
    this.#updatedTimes[row] = order.updatedTime;
  }

  *[Symbol.iterator](): Iterator<RecordedOrder> {
    for (let row = 0; row < this.length; row += 1) yield this.#working[row] ?? this.#ended(row);
  }

  #ended(row: number): RecordedOrder {
    const state: OrderState = {
      status: this.#statuses[row] as OrderStatus,
      venueOrderId: this.#venueOrderIds[row],
      filledQuantity: this.#filledQuantities[row] as Fixed,
      filledNotional: this.#filledNotionals[row] as Fixed,
      reason: this.#reasons[row],
      createdTime: this.#createdTimes[row] as EpochMs,
      updatedTime: this.#updatedTimes[row] as EpochMs,
    };
    return { request: this.#requests[row] as OrderRequest, ...state, state, isFinal: true };
  }
}
