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
 *
 * Of those that have ended the last `kept` are wanted, and at most twice as many are there.
 */
export class OrderLog implements RecordList<RecordedOrder> {
  readonly #kept: number;
  #added = 0;
  #ended = 0;
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

  constructor(kept = Infinity) {
    this.#kept = kept;
  }

  get length(): number {
    return this.#requests.length;
  }

  /** How many there have been. */
  get added(): number {
    return this.#added;
  }

  add(order: WorkingOrder): void {
    this.#added += 1;
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
    this.#ended += 1;
    if (this.#ended >= 2 * this.#kept) this.#forget();
  }

  /** Drops the oldest that have ended. */
  #forget(): void {
    let gone = this.#ended - this.#kept;
    this.#ended = this.#kept;
    const rows = this.#working.flatMap((order, row) => {
      if (order === undefined && gone > 0) {
        gone -= 1;
        return [];
      }
      return [row];
    });
    take(this.#working, rows);
    take(this.#requests, rows);
    take(this.#statuses, rows);
    take(this.#venueOrderIds, rows);
    take(this.#filledQuantities, rows);
    take(this.#filledNotionals, rows);
    take(this.#reasons, rows);
    take(this.#createdTimes, rows);
    take(this.#updatedTimes, rows);
    for (const [row, order] of this.#working.entries()) if (order !== undefined) order.row = row;
  }

  *[Symbol.iterator](): Iterator<RecordedOrder> {
    for (let row = 0; row < this.length; row += 1) yield this.#working[row] ?? this.#endedAt(row);
  }

  #endedAt(row: number): RecordedOrder {
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

/** Leaves so many rows of a column. */
function take(column: unknown[], rows: readonly number[]): void {
  for (const [to, from] of rows.entries()) column[to] = column[from];
  column.length = rows.length;
}
