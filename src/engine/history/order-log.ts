import {
  missing,
  type ClientOrderId,
  type OrderReason,
  type OrderState,
  type VenueOrderId,
} from '../../domain/index.js';
import { WorkingOrder } from '../orders/working/working-order.js';
import type { WorkingOrderList } from '../orders/working/working-order-list.js';
import { GrowingBlocks } from './growing-blocks.js';
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

  constructor(first: number, rows: number, memory: BlockMemory | undefined) {
    super(first, rows * WIDTH, memory);
    this.#rows = rows;
  }

  keepId(row: number, id: ClientOrderId): void {
    this.clientOrderIds ??= new Array<ClientOrderId>(this.#rows);
    this.clientOrderIds[row - this.first] = id;
  }

  nameAtVenue(row: number, venueOrderId: VenueOrderId): void {
    this.venueOrderIds ??= new Array<VenueOrderId | undefined>(this.#rows);
    this.venueOrderIds[row - this.first] = venueOrderId;
  }

  label(row: number, label: string): void {
    this.labels ??= new Array<string | undefined>(this.#rows);
    this.labels[row - this.first] = label;
  }

  explain(row: number, reason: OrderReason): void {
    this.reasons ??= new Array<OrderReason | undefined>(this.#rows);
    this.reasons[row - this.first] = reason;
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
    this.#blocks = new GrowingBlocks((first, rows) => new OrderBlock(first, rows, memory));
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
    order.row = this.#blocks.length;
    this.#blocks.add();
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
    const { request, label, venueOrderId, reason } = order;
    const block = this.#blocks.blockOf(row);
    const { first, numbers } = block;
    const at = (row - first) * WIDTH;
    const { clientOrderId, intentId } = request;
    if (!hasFirstId) block.keepId(row, clientOrderId);
    if (venueOrderId !== undefined) block.nameAtVenue(row, venueOrderId);
    if (label !== undefined) block.label(row, label);
    if (reason !== undefined) block.explain(row, reason);
    block.setAmount(at + QUANTITY, request.quantity);
    if (request.type === 'limit') block.setAmount(at + LIMIT_PRICE, request.limitPrice);
    block.setAmount(at + FILLED_QUANTITY, order.filledQuantity);
    block.setAmount(at + FILLED_NOTIONAL, order.filledNotional);
    numbers[at + INTENT_ID] = intentId;
    numbers[at + CREATED_TIME] = order.createdTime;
    numbers[at + UPDATED_TIME] = order.updatedTime;
    numbers[at + FORM] = this.#forms.of(order);
  }

  /** Drops the oldest ended orders. */
  #forget(): void {
    const gone = this.#ended - this.#kept;
    const all = [...this];
    const oldest = new Set(all.filter(({ isFinal }) => isFinal).slice(0, gone));
    this.#blocks.clear();
    this.#ended = this.#kept;
    for (const order of all) {
      const row = this.#blocks.length;
      if (order instanceof WorkingOrder) order.row = row;
      else if (oldest.has(order)) continue;
      this.#blocks.add();
      if (!(order instanceof WorkingOrder)) this.#write(row, order, false);
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
    const form = block.numbers[(row - block.first) * WIDTH + FORM] as number;
    return form === 0 ? undefined : this.#endedAt(block, row - block.first, this.#forms.at(form));
  }

  #endedAt(block: OrderBlock, place: number, form: OrderForm): RecordedOrder {
    const { numbers } = block;
    const at = place * WIDTH;
    const state: OrderState = {
      status: form.status,
      venueOrderId: block.venueOrderIds?.[place],
      filledQuantity: block.amount(at + FILLED_QUANTITY),
      filledNotional: block.amount(at + FILLED_NOTIONAL),
      reason: block.reasons?.[place],
      createdTime: numbers[at + CREATED_TIME] as number,
      updatedTime: numbers[at + UPDATED_TIME] as number,
    };
    const intentId = numbers[at + INTENT_ID] as number;
    const request = formRequest(form, {
      clientOrderId: block.clientOrderIds?.[place] ?? this.#ids.first(intentId),
      intentId,
      quantity: block.amount(at + QUANTITY),
      limitPrice: block.amount(at + LIMIT_PRICE),
    });
    return {
      request,
      cause: form.cause,
      label: block.labels?.[place],
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
