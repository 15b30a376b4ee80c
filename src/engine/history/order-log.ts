import {
  missing,
  ORDER_CAUSES,
  ORDER_STATUSES,
  type ClientOrderId,
  type OrderCause,
  type OrderReason,
  type OrderState,
  type OrderStatus,
  type VenueOrderId,
} from '../../domain/index.js';
import { WorkingOrder } from '../orders/working-order.js';
import type { WorkingOrderList } from '../orders/working-order-list.js';
import { GrowingBlocks, placeOf } from './growing-blocks.js';
import { AMOUNT_WIDTH, PackedBlock } from './packed-block.js';
import { formRequest, RequestForms } from './request-forms.js';
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
const FORM = UPDATED_TIME + 1;
/** Place in {@link ORDER_STATUSES} of an order that has ended; one that works is `submitting` here, which none ends as. */
const STATUS = FORM + 1;
/** Place in {@link ORDER_CAUSES}. */
const CAUSE = STATUS + 1;
/** Place in the log's labels. */
const LABEL = CAUSE + 1;
/** Place in the log's reasons. */
const REASON = LABEL + 1;
const WIDTH = REASON + 1;

const WORKING = ORDER_STATUSES.indexOf('submitting');

/** So many orders. */
class OrderBlock extends PackedBlock {
  readonly #rows: number;
  /** Those that do not follow from an intent's number; made with the first. */
  clientOrderIds: ClientOrderId[] | undefined;
  /** Made with the first: what is filled as it arrives at a simulated venue has none. */
  venueOrderIds: (VenueOrderId | undefined)[] | undefined;

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
}

/**
 * Every order there has been, oldest first. Of one that has ended its values are kept packed: objects that stay are copied twice while garbage
 * is collected, and lists of them are gone through.
 *
 * Of those that have ended the last `kept` are wanted, and less than twice as many are there.
 */
export class OrderLog implements RecordList<RecordedOrder> {
  readonly #ids: OrderIds;
  readonly #kept: number;
  readonly #forms = new RequestForms();
  readonly #blocks: GrowingBlocks<OrderBlock>;
  readonly #working: Pick<WorkingOrderList, 'all'>;
  /** Each label that an order had, with its place. */
  readonly #labels = new Map<string, number>();
  readonly #labelTexts: (string | undefined)[] = [undefined];
  /** Each reason for which an order has ended, with its place: most that are canceled have the same. */
  readonly #reasons = new Map<OrderReason, number>();
  readonly #reasonList: (OrderReason | undefined)[] = [undefined];
  #added = 0;
  #ended = 0;

  /** `ids`: those of the bot's orders. `working`: those that have been added and have not ended, whenever the log is read. */
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

  /** How many there have been. */
  get added(): number {
    return this.#added;
  }

  add(order: WorkingOrder): void {
    this.#added += 1;
    order.row = this.#blocks.add();
    const { clientOrderId, intentId } = order.request;
    order.hasFirstId = this.#ids.intentOfLatest(clientOrderId) === intentId;
  }

  /** Lets go of an order that has been added and has ended. */
  end(order: WorkingOrder): void {
    this.#write(order.row, order, order.hasFirstId);
    this.#ended += 1;
    if (this.#ended >= 2 * this.#kept) this.#forget();
  }

  #write(row: number, { request, state, cause, label }: RecordedOrder, hasFirstId: boolean): void {
    const block = this.#blocks.blockOf(row);
    const at = placeOf(row);
    const { clientOrderId, intentId } = request;
    if (!hasFirstId) block.keepId(at, clientOrderId);
    if (state.venueOrderId !== undefined) block.nameAtVenue(at, state.venueOrderId);
    block.setAmount(at, QUANTITY, request.quantity);
    if (request.type === 'limit') block.setAmount(at, LIMIT_PRICE, request.limitPrice);
    block.setAmount(at, FILLED_QUANTITY, state.filledQuantity);
    block.setAmount(at, FILLED_NOTIONAL, state.filledNotional);
    block.setNumber(at, INTENT_ID, intentId);
    block.setNumber(at, CREATED_TIME, state.createdTime);
    block.setNumber(at, UPDATED_TIME, state.updatedTime);
    block.setNumber(at, FORM, this.#forms.of(request));
    block.setNumber(at, STATUS, placeIn(ORDER_STATUSES, state.status));
    block.setNumber(at, CAUSE, placeIn(ORDER_CAUSES, cause));
    block.setNumber(at, LABEL, label === undefined ? 0 : this.#placeOfLabel(label));
    if (state.reason !== undefined) block.setNumber(at, REASON, this.#placeOfReason(state.reason));
  }

  #placeOfLabel(label: string): number {
    let place = this.#labels.get(label);
    if (place === undefined) {
      place = this.#labelTexts.push(label) - 1;
      this.#labels.set(label, place);
    }
    return place;
  }

  #placeOfReason(reason: OrderReason): number {
    let place = this.#reasons.get(reason);
    if (place === undefined) {
      place = this.#reasonList.push(reason) - 1;
      this.#reasons.set(reason, place);
    }
    return place;
  }

  /** Drops the oldest that have ended. */
  #forget(): void {
    const gone = this.#ended - this.#kept;
    const all = [...this];
    const oldest = new Set(all.filter(({ isFinal }) => isFinal).slice(0, gone));
    this.#blocks.clear();
    this.#reasons.clear();
    this.#reasonList.length = 1;
    this.#labels.clear();
    this.#labelTexts.length = 1;
    this.#ended = this.#kept;
    for (const order of all) {
      if (order instanceof WorkingOrder) order.row = this.#blocks.add();
      else if (!oldest.has(order)) this.#write(this.#blocks.add(), order, false);
    }
  }

  /** Whether one of them has this id of the venue's. */
  has(venueOrderId: VenueOrderId): boolean {
    for (const { state } of this) if (state.venueOrderId === venueOrderId) return true;
    return false;
  }

  *[Symbol.iterator](): Iterator<RecordedOrder> {
    let working: ReadonlyMap<number, WorkingOrder> | undefined;
    for (let row = 0; row < this.length; row += 1) {
      const ended = this.#endedIn(row);
      // Made where one is met, and anew where others have come since.
      if (ended === undefined && working?.has(row) !== true)
        working = new Map(this.#working.all.map((order) => [order.row, order]));
      yield ended ?? working?.get(row) ?? missing(`working order in row ${String(row)}`);
    }
  }

  /** The order of a row; undefined while it works. */
  #endedIn(row: number): RecordedOrder | undefined {
    const block = this.#blocks.blockOf(row);
    const at = placeOf(row);
    const status = block.number(at, STATUS);
    return status === WORKING ? undefined : this.#endedAt(block, at);
  }

  #endedAt(block: OrderBlock, at: number): RecordedOrder {
    const state: OrderState = {
      status: ORDER_STATUSES[block.number(at, STATUS)] as OrderStatus,
      venueOrderId: block.venueOrderIds?.[at],
      filledQuantity: block.amount(at, FILLED_QUANTITY),
      filledNotional: block.amount(at, FILLED_NOTIONAL),
      reason: this.#reasonList[block.number(at, REASON)],
      createdTime: block.number(at, CREATED_TIME),
      updatedTime: block.number(at, UPDATED_TIME),
    };
    const intentId = block.number(at, INTENT_ID);
    const request = formRequest(this.#forms.at(block.number(at, FORM)), {
      clientOrderId: block.clientOrderIds?.[at] ?? this.#ids.first(intentId),
      intentId,
      quantity: block.amount(at, QUANTITY),
      limitPrice: block.amount(at, LIMIT_PRICE),
    });
    const cause = ORDER_CAUSES[block.number(at, CAUSE)] as OrderCause;
    const label = this.#labelTexts[block.number(at, LABEL)];
    return {
      request,
      cause,
      label,
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

/** The place of a word in a list that has it. Not `indexOf`, which compiled code calls: a look at a few words takes a quarter as long. */
function placeIn<Word extends string>(words: readonly Word[], word: Word): number {
  let place = 0;
  while (words[place] !== word) place += 1;
  return place;
}
