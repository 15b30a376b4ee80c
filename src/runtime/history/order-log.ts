import type {
  ClientOrderId,
  EpochMs,
  Fixed,
  OrderReason,
  OrderRequest,
  OrderState,
  OrderStatus,
  VenueOrderId,
} from '../../domain/index.js';
import { WorkingOrder } from '../desk/working-order.js';
import { formRequest, RequestForms, type RequestForm } from './request-forms.js';
import type { RecordList, RecordedOrder } from '../records.js';

/** Orders in one block. */
const ROWS = 512;

/** Columns of so many orders. Blocks, because a list that grows is copied as often as it doubles. */
class OrderBlock {
  /** Those that have not ended. */
  readonly working = new Array<WorkingOrder | undefined>(ROWS);
  readonly forms = new Array<RequestForm>(ROWS);
  readonly clientOrderIds = new Array<ClientOrderId>(ROWS);
  readonly intentIds = new Float64Array(ROWS);
  readonly quantities = new Array<Fixed>(ROWS);
  readonly limitPrices = new Array<Fixed | undefined>(ROWS);
  readonly statuses = new Array<OrderStatus>(ROWS);
  readonly venueOrderIds = new Array<VenueOrderId | undefined>(ROWS);
  readonly filledQuantities = new Array<Fixed>(ROWS);
  readonly filledNotionals = new Array<Fixed>(ROWS);
  readonly reasons = new Array<OrderReason | undefined>(ROWS);
  readonly createdTimes = new Float64Array(ROWS);
  readonly updatedTimes = new Float64Array(ROWS);
}

/**
 * Every order there has been, oldest first. Of one that has ended only columns are kept: objects that stay are copied twice while garbage
 * is collected, and the dozen of an order took a seventh of the time that it takes from wish to fill.
 *
 * Of those that have ended the last `kept` are wanted, and less than twice as many are there.
 */
export class OrderLog implements RecordList<RecordedOrder> {
  readonly #kept: number;
  readonly #forms = new RequestForms();
  #blocks: OrderBlock[] = [];
  #length = 0;
  #added = 0;
  #ended = 0;

  constructor(kept = Infinity) {
    this.#kept = kept;
  }

  get length(): number {
    return this.#length;
  }

  /** How many there have been. */
  get added(): number {
    return this.#added;
  }

  add(order: WorkingOrder): void {
    this.#added += 1;
    this.#place(order);
  }

  /** Lets go of an order that has been added and has ended. */
  end(order: WorkingOrder): void {
    this.#write(order.row, order);
    this.#ended += 1;
    if (this.#ended >= 2 * this.#kept) this.#forget();
  }

  #place(order: WorkingOrder): void {
    const row = this.#addRow();
    order.row = row;
    this.#blockOf(row).working[row % ROWS] = order;
  }

  #addRow(): number {
    const row = this.#length;
    if (row % ROWS === 0) this.#blocks.push(new OrderBlock());
    this.#length = row + 1;
    return row;
  }

  #write(row: number, { request, state }: RecordedOrder): void {
    const block = this.#blockOf(row);
    const at = row % ROWS;
    block.working[at] = undefined;
    block.forms[at] = this.#forms.of(request);
    block.clientOrderIds[at] = request.clientOrderId;
    block.intentIds[at] = request.intentId;
    block.quantities[at] = request.quantity;
    block.limitPrices[at] = request.type === 'limit' ? request.limitPrice : undefined;
    block.statuses[at] = state.status;
    block.venueOrderIds[at] = state.venueOrderId;
    block.filledQuantities[at] = state.filledQuantity;
    block.filledNotionals[at] = state.filledNotional;
    block.reasons[at] = state.reason;
    block.createdTimes[at] = state.createdTime;
    block.updatedTimes[at] = state.updatedTime;
  }

  /** Drops the oldest that have ended. */
  #forget(): void {
    const gone = this.#ended - this.#kept;
    const all = [...this];
    const oldest = new Set(all.filter(({ isFinal }) => isFinal).slice(0, gone));
    this.#blocks = [];
    this.#length = 0;
    this.#ended = this.#kept;
    for (const order of all) {
      if (order instanceof WorkingOrder) this.#place(order);
      else if (!oldest.has(order)) this.#write(this.#addRow(), order);
    }
  }

  /** Whether one of them has this id of the venue's. */
  has(venueOrderId: VenueOrderId): boolean {
    return this.#blocks.some(
      ({ venueOrderIds, working }) =>
        venueOrderIds.includes(venueOrderId) ||
        working.some((order) => order?.venueOrderId === venueOrderId),
    );
  }

  *[Symbol.iterator](): Iterator<RecordedOrder> {
    for (let row = 0; row < this.#length; row += 1)
      yield this.#blockOf(row).working[row % ROWS] ?? this.#endedAt(row);
  }

  #blockOf(row: number): OrderBlock {
    return this.#blocks[Math.floor(row / ROWS)] as OrderBlock;
  }

  #endedAt(row: number): RecordedOrder {
    const block = this.#blockOf(row);
    const at = row % ROWS;
    const state: OrderState = {
      status: block.statuses[at] as OrderStatus,
      venueOrderId: block.venueOrderIds[at],
      filledQuantity: block.filledQuantities[at] as Fixed,
      filledNotional: block.filledNotionals[at] as Fixed,
      reason: block.reasons[at],
      createdTime: block.createdTimes[at] as EpochMs,
      updatedTime: block.updatedTimes[at] as EpochMs,
    };
    return { request: requestAt(block, at), ...state, state, isFinal: true };
  }
}

function requestAt(block: OrderBlock, at: number): OrderRequest {
  return formRequest(block.forms[at] as RequestForm, {
    clientOrderId: block.clientOrderIds[at] as ClientOrderId,
    intentId: block.intentIds[at] as number,
    quantity: block.quantities[at] as Fixed,
    limitPrice: block.limitPrices[at],
  });
}
