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
import type { WorkingOrder } from '../desk/working-order.js';
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
 */
export class OrderLog implements RecordList<RecordedOrder> {
  readonly #blocks: OrderBlock[] = [];
  readonly #forms = new RequestForms();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(order: WorkingOrder): void {
    const row = this.#length;
    if (row % ROWS === 0) this.#blocks.push(new OrderBlock());
    order.row = row;
    this.#blockOf(row).working[row % ROWS] = order;
    this.#length = row + 1;
  }

  /** Lets go of an order that has been added and has ended. */
  end(order: WorkingOrder): void {
    const block = this.#blockOf(order.row);
    const at = order.row % ROWS;
    const { request } = order;
    block.working[at] = undefined;
    block.forms[at] = this.#forms.of(request);
    block.clientOrderIds[at] = request.clientOrderId;
    block.intentIds[at] = request.intentId;
    block.quantities[at] = request.quantity;
    block.limitPrices[at] = request.type === 'limit' ? request.limitPrice : undefined;
    block.statuses[at] = order.status;
    block.venueOrderIds[at] = order.venueOrderId;
    block.filledQuantities[at] = order.filledQuantity;
    block.filledNotionals[at] = order.filledNotional;
    block.reasons[at] = order.reason;
    block.createdTimes[at] = order.createdTime;
    block.updatedTimes[at] = order.updatedTime;
  }

  *[Symbol.iterator](): Iterator<RecordedOrder> {
    for (let row = 0; row < this.#length; row += 1)
      yield this.#blockOf(row).working[row % ROWS] ?? this.#ended(row);
  }

  #blockOf(row: number): OrderBlock {
    return this.#blocks[Math.floor(row / ROWS)] as OrderBlock;
  }

  #ended(row: number): RecordedOrder {
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
