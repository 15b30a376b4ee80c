import {
  missing,
  type ClientOrderId,
  type OrderReason,
  type OrderState,
  type VenueOrderId,
} from '../../domain/index.js';
import { WorkingOrder } from '../orders/working-order.js';
import type { WorkingOrderList } from '../orders/working-order-list.js';
import { GrowingBlocks, placeOf } from './growing-blocks.js';
import { AMOUNT_WIDTH, PackedBlock } from './packed-block.js';
import { formRequest, OrderForms, type OrderForm } from './order-forms.js';
import type { OrderIds } from '../order-ids.js';
import type { RecordKeeping, RecordList, RecordedOrder } from '../records.js';
import type { BlockMemory } from './record-memory.js';

const QUANTITY = 0;
const LIMIT_PRICE = QUANTITY + AMOUNT_WIDTH;
const FILLED_QUANTITY = LIMIT_PRICE + AMOUNT_WIDTH;
const FILLED_NOTIONAL = FILLED_QUANTITY + AMOUNT_WIDTH;
const INTENT_ID = FILLED_NOTIONAL + AMOUNT_WIDTH;
const CREATED_TIME = INTENT_ID + 1;
const UPDATED_TIME = CREATED_TIME + 1;
/** Number of the order's form after it has ended; 0 while the order works. */
const FORM = UPDATED_TIME + 1;
const WIDTH = FORM + 1;

/** The orders of one block. */
class OrderBlock extends PackedBlock {
  readonly #rows: number;
  /** Ids that cannot be computed from an intent id; created with the first such id. */
  clientOrderIds: ClientOrderId[] | undefined;
  /** Created with the first id: an order that fills on arrival at a simulated venue has none. */
  venueOrderIds: (VenueOrderId | undefined)[] | undefined;
  /** Created with the first label, as the lists around it. */
  labels: (string | undefined)[] | undefined;
  reasons: (OrderReason | undefined)[] | undefined;

  constructor(rows: number, memory: BlockMemory | undefined) {
    super(rows, WIDTH, memory);
    this.#rows = rows;
  }

  keepId(row: number, id: ClientOrderId): void {
    this.clientOrderIds ??= new Array<ClientOrderId>(this.#rows);
    this.clientOrderIds[row] = id;
  }

  nameAtVenue(row: number, venueOrderId: VenueOrderId): void {
    this.venueOrderIds ??= new Array<VenueOrderId | undefined>(this.#rows);
    this.venueOrderIds[row] = venueOrderId;
  }

  label(row: number, label: string): void {
    this.labels ??= new Array<string | undefined>(this.#rows);
    this.labels[row] = label;
  }

  explain(row: number, reason: OrderReason): void {
    this.reasons ??= new Array<OrderReason | undefined>(this.#rows);
    this.reasons[row] = reason;
  }
}

/**
 * Every order of the run, oldest first. Ended orders are stored packed. As objects, they would be copied twice by the garbage collector, which
 * would also walk through the lists of them.
 *
 * The log keeps the last `kept` ended orders; it holds fewer than twice as many.
 */
export class OrderLog implements RecordList<RecordedOrder> {
  readonly #ids: OrderIds;
  readonly #kept: number;
  readonly #forms = new OrderForms();
  readonly #blocks: GrowingBlocks<OrderBlock>;
  readonly #working: Pick<WorkingOrderList, 'all'>;
  #added = 0;
  #ended = 0;

  /** `ids`: the ids of the bot's orders. `working`: must list the added orders that have not ended whenever the log is read. */
  constructor(
    ids: OrderIds,
    working: Pick<WorkingOrderList, 'all'>,
    { kept = Infinity, memory }: RecordKeeping = {},
  ) {
    this.#ids = ids;
    this.#working = working;
    this.#kept = kept;
    this.#blocks = new GrowingBlocks((rows) => new OrderBlock(rows, memory));
  }

  get length(): number {
    return this.#blocks.length;
  }

  /** Number of orders ever added, dropped ones included. */
  get added(): number {
    return this.#added;
  }

  add(order: WorkingOrder): void {
    this.#added += 1;
    order.row = this.#blocks.add();
    const { clientOrderId, intentId } = order.request;
    order.hasFirstId = this.#ids.intentOfLatest(clientOrderId) === intentId;
  }

  /** Stores the values of an added order that has ended; the log then needs the object no longer. */
  end(order: WorkingOrder): void {
    this.#write(order.row, order, order.hasFirstId);
    this.#ended += 1;
    if (this.#ended >= 2 * this.#kept) this.#forget();
  }

  #write(row: number, order: RecordedOrder, hasFirstId: boolean): void {
    const { request, state, label } = order;
    const block = this.#blocks.blockOf(row);
    const at = placeOf(row);
    const { clientOrderId, intentId } = request;
    if (!hasFirstId) block.keepId(at, clientOrderId);
    if (state.venueOrderId !== undefined) block.nameAtVenue(at, state.venueOrderId);
    if (label !== undefined) block.label(at, label);
    if (state.reason !== undefined) block.explain(at, state.reason);
    block.setAmount(at, QUANTITY, request.quantity);
    if (request.type === 'limit') block.setAmount(at, LIMIT_PRICE, request.limitPrice);
    block.setAmount(at, FILLED_QUANTITY, state.filledQuantity);
    block.setAmount(at, FILLED_NOTIONAL, state.filledNotional);
    block.setNumber(at, INTENT_ID, intentId);
    block.setNumber(at, CREATED_TIME, state.createdTime);
    block.setNumber(at, UPDATED_TIME, state.updatedTime);
    block.setNumber(at, FORM, this.#forms.of(order));
  }

  /** Drops the oldest ended orders. */
  #forget(): void {
    const gone = this.#ended - this.#kept;
    const all = [...this];
    const oldest = new Set(all.filter(({ isFinal }) => isFinal).slice(0, gone));
    this.#blocks.clear();
    this.#ended = this.#kept;
    for (const order of all) {
      if (order instanceof WorkingOrder) order.row = this.#blocks.add();
      else if (!oldest.has(order)) this.#write(this.#blocks.add(), order, false);
    }
  }

  /** Whether an order in the log has this id at the venue. */
  has(venueOrderId: VenueOrderId): boolean {
    for (const { state } of this) if (state.venueOrderId === venueOrderId) return true;
    return false;
  }

  *[Symbol.iterator](): Iterator<RecordedOrder> {
    let working: ReadonlyMap<number, WorkingOrder> | undefined;
    for (let row = 0; row < this.length; row += 1) {
      const ended = this.#endedIn(row);
      // Built at the first working order, and again if a row is missing because orders came since.
      if (ended === undefined && working?.has(row) !== true)
        working = new Map(this.#working.all.map((order) => [order.row, order]));
      yield ended ?? working?.get(row) ?? missing(`working order in row ${String(row)}`);
    }
  }

  /** The order of a row; undefined while the order works. */
  #endedIn(row: number): RecordedOrder | undefined {
    const block = this.#blocks.blockOf(row);
    const at = placeOf(row);
    const form = block.number(at, FORM);
    return form === 0 ? undefined : this.#endedAt(block, at, this.#forms.at(form));
  }

  #endedAt(block: OrderBlock, at: number, form: OrderForm): RecordedOrder {
    const state: OrderState = {
      status: form.status,
      venueOrderId: block.venueOrderIds?.[at],
      filledQuantity: block.amount(at, FILLED_QUANTITY),
      filledNotional: block.amount(at, FILLED_NOTIONAL),
      reason: block.reasons?.[at],
      createdTime: block.number(at, CREATED_TIME),
      updatedTime: block.number(at, UPDATED_TIME),
    };
    const intentId = block.number(at, INTENT_ID);
    const request = formRequest(form, {
      clientOrderId: block.clientOrderIds?.[at] ?? this.#ids.first(intentId),
      intentId,
      quantity: block.amount(at, QUANTITY),
      limitPrice: block.amount(at, LIMIT_PRICE),
    });
    return {
      request,
      cause: form.cause,
      label: block.labels?.[at],
      status: state.status,
      venueOrderId: state.venueOrderId,
      filledQuantity: state.filledQuantity,
      filledNotional: state.filledNotional,
      reason: state.reason,
      createdTime: state.createdTime,
      updatedTime: state.updatedTime,
      state,
      isFinal: true,
    };
  }
}
