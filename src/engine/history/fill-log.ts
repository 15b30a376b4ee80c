import {
  FIXED_ONE,
  missing,
  type Asset,
  type ClientOrderId,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type ForcedCause,
  type InstrumentId,
  type Liquidity,
  type PositionAction,
  type Side,
} from '../../domain/index.js';
import { FormList } from './form-list.js';
import { GrowingBlocks } from './growing-blocks.js';
import { AMOUNT_WIDTH, PackedBlock } from './packed-block.js';
import type { OrderIds } from '../order-ids.js';
import type { RecordedEffect, RecordedFill, RecordedFills, RecordKeeping } from '../records.js';
import type { BlockMemory } from './record-memory.js';

/** What many fills have in common. */
interface FillForm {
  readonly instrumentId: InstrumentId;
  readonly side: Side;
  readonly action: PositionAction;
  readonly feeAsset: Asset;
  readonly liquidity: Liquidity;
  readonly step: Fixed;
  /** Whether the quote rate is 1, as when the quote is the equity currency. Such a rate is not stored. */
  readonly needsNoRate: boolean;
}

const PRICE = 0;
const QUANTITY = PRICE + AMOUNT_WIDTH;
const FEE = QUANTITY + AMOUNT_WIDTH;
const EVENT_TIME = FEE + AMOUNT_WIDTH;
/** The intent whose first order the fill belongs to; 0 if the block stores the client order id instead. */
const INTENT_ID = EVENT_TIME + 1;
const FORM = INTENT_ID + 1;
const WIDTH = FORM + 1;

/** The fills of one block. */
class FillBlock extends PackedBlock {
  readonly #rows: number;
  readonly #memory: BlockMemory | undefined;
  /** Quote rates; created with the first rate that is not 1. */
  #quoteRates: PackedBlock | undefined;
  /** Ids that cannot be computed from an intent id; created with the first such id. */
  clientOrderIds: ClientOrderId[] | undefined;

  constructor(first: number, rows: number, memory: BlockMemory | undefined) {
    super(first, rows * WIDTH, memory);
    this.#rows = rows;
    this.#memory = memory;
  }

  keepQuoteRate(row: number, rate: Fixed): void {
    const length = this.#rows * AMOUNT_WIDTH;
    this.#quoteRates ??= new PackedBlock(this.first, length, this.#memory);
    this.#quoteRates.setAmount((row - this.first) * AMOUNT_WIDTH, rate);
  }

  quoteRate(row: number): Fixed {
    return this.#quoteRates?.amount((row - this.first) * AMOUNT_WIDTH) ?? 0n;
  }

  keepId(row: number, id: ClientOrderId): void {
    this.clientOrderIds ??= new Array<ClientOrderId>(this.#rows);
    this.clientOrderIds[row - this.first] = id;
  }
}

/** Every fill, in the order in which the engine learned of them, stored packed. See {@link OrderLog} for the reason and for `kept`. */
export class FillLog implements RecordedFills {
  readonly #ids: OrderIds;
  readonly #kept: number;
  readonly #blocks: GrowingBlocks<FillBlock>;
  readonly #forms = new FormList<FillForm>();
  /** Values that few fills have, by row. */
  readonly #venueTradeIds = new Map<number, string>();
  readonly #causes = new Map<number, ForcedCause>();
  readonly #feeRates = new Map<number, Fixed>();
  #latestTime: EpochMs = Number.NEGATIVE_INFINITY;
  #isInOrderOfTime = true;

  /** `ids`: the ids of the bot's orders. */
  constructor(ids: OrderIds, { kept = Infinity, memory }: RecordKeeping = {}) {
    this.#ids = ids;
    this.#kept = kept;
    this.#blocks = new GrowingBlocks((first, rows) => new FillBlock(first, rows, memory));
  }

  get length(): number {
    return this.#blocks.length;
  }

  add(fill: RecordedFill): void {
    this.#write(fill);
    if (this.#blocks.length >= 2 * this.#kept) this.#forget();
  }

  /** Drops all fills except the last `kept`. */
  #forget(): void {
    const last = [...this].slice(-this.#kept);
    this.#blocks.clear();
    this.#venueTradeIds.clear();
    this.#causes.clear();
    this.#feeRates.clear();
    for (const fill of last) this.#write(fill);
  }

  #write(fill: RecordedFill): void {
    const { record, cause } = fill;
    const row = this.#blocks.length;
    const block = this.#blocks.add();
    const { first, numbers } = block;
    const at = (row - first) * WIDTH;
    const intentId = this.#ids.intentOfLatest(record.clientOrderId);
    if (intentId === undefined) block.keepId(row, record.clientOrderId);
    else numbers[at + INTENT_ID] = intentId;
    block.setAmount(at + PRICE, record.price);
    block.setAmount(at + QUANTITY, record.quantity);
    block.setAmount(at + FEE, record.fee);
    if (fill.quoteRate !== FIXED_ONE) block.keepQuoteRate(row, fill.quoteRate);
    numbers[at + EVENT_TIME] = record.eventTime;
    numbers[at + FORM] = this.#formOf(fill);
    if (record.venueTradeId !== undefined) this.#venueTradeIds.set(row, record.venueTradeId);
    if (cause !== undefined) this.#causes.set(row, cause);
    if (fill.feeRate !== undefined) this.#feeRates.set(row, fill.feeRate);
    if (record.eventTime < this.#latestTime) this.#isInOrderOfTime = false;
    this.#latestTime = record.eventTime;
  }

  /** Returns the number of the fill's form; adds the form if it is new. */
  #formOf({ record, step, quoteRate }: RecordedFill): number {
    const needsNoRate = quoteRate === FIXED_ONE;
    for (const { number, form } of this.#forms.of(record.instrumentId))
      if (isOf(form, record, step, needsNoRate)) return number;
    const { instrumentId, side, action, feeAsset, liquidity } = record;
    return this.#forms.add({
      instrumentId,
      side,
      action,
      feeAsset,
      liquidity,
      step,
      needsNoRate,
    });
  }

  *[Symbol.iterator](): Iterator<RecordedFill> {
    for (let row = 0; row < this.length; row += 1) yield this.#fillAt(row);
  }

  /** The fills in order of event time. Fills of one instant stay in the order in which the engine learned of them. */
  inOrderOfTime(): RecordedFills {
    if (this.#isInOrderOfTime) return this;
    return [...this].sort((one, other) => one.record.eventTime - other.record.eventTime);
  }

  at(row: number): RecordedEffect | undefined {
    return row < this.length ? this.#effectAt(row) : undefined;
  }

  /** Leaves out the ids: building them would take a tenth of the time that it takes to process a fill. */
  #effectAt(row: number): RecordedEffect {
    const block = this.#blocks.blockOf(row);
    const at = (row - block.first) * WIDTH;
    const form = this.#forms.at(block.numbers[at + FORM] as number);
    const record = {
      instrumentId: form.instrumentId,
      side: form.side,
      action: form.action,
      price: block.amount(at + PRICE),
      quantity: block.amount(at + QUANTITY),
      fee: block.amount(at + FEE),
      feeAsset: form.feeAsset,
      liquidity: form.liquidity,
      eventTime: block.numbers[at + EVENT_TIME] as number,
    };
    const quoteRate = form.needsNoRate ? FIXED_ONE : block.quoteRate(row);
    return {
      record,
      step: form.step,
      quoteRate,
      feeRate: this.#feeRates.get(row),
      cause: this.#causes.get(row),
    };
  }

  #fillAt(row: number): RecordedFill {
    const { record, step, quoteRate, feeRate, cause } = this.#effectAt(row);
    const venueTradeId = this.#venueTradeIds.get(row);
    const known = {
      clientOrderId: this.#idOf(row),
      instrumentId: record.instrumentId,
      side: record.side,
      action: record.action,
      price: record.price,
      quantity: record.quantity,
      fee: record.fee,
      feeAsset: record.feeAsset,
      liquidity: record.liquidity,
      eventTime: record.eventTime,
    };
    return {
      record: venueTradeId === undefined ? known : { ...known, venueTradeId },
      step,
      quoteRate,
      feeRate,
      cause,
    };
  }

  #idOf(row: number): ClientOrderId {
    const { first, numbers, clientOrderIds } = this.#blocks.blockOf(row);
    const intentId = numbers[(row - first) * WIDTH + INTENT_ID] as number;
    return intentId > 0
      ? this.#ids.first(intentId)
      : (clientOrderIds?.[row - first] ?? missing('id of an order that was filled'));
  }
}

/** Whether a fill has a form of its instrument. */
function isOf(form: FillForm, record: FillRecord, step: Fixed, needsNoRate: boolean): boolean {
  return (
    form.needsNoRate === needsNoRate &&
    form.side === record.side &&
    form.action === record.action &&
    form.liquidity === record.liquidity &&
    form.feeAsset === record.feeAsset &&
    form.step === step
  );
}
