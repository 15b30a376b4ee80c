import type {
  Asset,
  ClientOrderId,
  EpochMs,
  FillRecord,
  Fixed,
  ForcedCause,
  InstrumentId,
  Liquidity,
  PositionAction,
  Side,
} from '../../domain/index.js';
import { GrowingBlocks, placeOf } from './growing-blocks.js';
import { AMOUNT_WIDTH, PackedBlock } from './packed-block.js';
import type { RecordedFill, RecordList } from '../records.js';

/** What many fills have in common. */
interface FillForm {
  readonly instrumentId: InstrumentId;
  readonly side: Side;
  readonly action: PositionAction;
  readonly feeAsset: Asset;
  readonly liquidity: Liquidity;
  readonly step: Fixed;
}

const PRICE = 0;
const QUANTITY = PRICE + AMOUNT_WIDTH;
const FEE = QUANTITY + AMOUNT_WIDTH;
const QUOTE_RATE = FEE + AMOUNT_WIDTH;
const EVENT_TIME = QUOTE_RATE + AMOUNT_WIDTH;
const FORM = EVENT_TIME + 1;
const WIDTH = FORM + 1;

/** So many fills. */
class FillBlock extends PackedBlock {
  readonly clientOrderIds: ClientOrderId[];

  constructor(rows: number) {
    super(rows, WIDTH);
    this.clientOrderIds = new Array<ClientOrderId>(rows);
  }
}

/** Every fill, in the order in which the engine learned of them, packed: see {@link OrderLog}, also for what is `kept`. */
export class FillLog implements RecordList<RecordedFill> {
  readonly #kept: number;
  readonly #blocks = new GrowingBlocks((rows) => new FillBlock(rows));
  /** A bot has few, however many fills. */
  readonly #forms: FillForm[] = [];
  /** Those that few have, by row. */
  readonly #venueTradeIds = new Map<number, string>();
  readonly #causes = new Map<number, ForcedCause>();
  #latestTime: EpochMs = Number.NEGATIVE_INFINITY;
  #isInOrderOfTime = true;

  constructor(kept = Infinity) {
    this.#kept = kept;
  }

  get length(): number {
    return this.#blocks.length;
  }

  add(fill: RecordedFill): void {
    this.#write(fill);
    if (this.length >= 2 * this.#kept) this.#forget();
  }

  /** Drops all but those that are wanted. */
  #forget(): void {
    const last = [...this].slice(-this.#kept);
    this.#blocks.clear();
    this.#venueTradeIds.clear();
    this.#causes.clear();
    for (const fill of last) this.#write(fill);
  }

  #write(fill: RecordedFill): void {
    const { record, cause } = fill;
    const row = this.#blocks.add();
    const block = this.#blocks.blockOf(row);
    const at = placeOf(row);
    block.clientOrderIds[at] = record.clientOrderId;
    block.setAmount(at, PRICE, record.price);
    block.setAmount(at, QUANTITY, record.quantity);
    block.setAmount(at, FEE, record.fee);
    block.setAmount(at, QUOTE_RATE, fill.quoteRate);
    block.setNumber(at, EVENT_TIME, record.eventTime);
    block.setNumber(at, FORM, this.#formOf(fill));
    if (record.venueTradeId !== undefined) this.#venueTradeIds.set(row, record.venueTradeId);
    if (cause !== undefined) this.#causes.set(row, cause);
    if (record.eventTime < this.#latestTime) this.#isInOrderOfTime = false;
    this.#latestTime = record.eventTime;
  }

  /** The number of a fill's form. */
  #formOf({ record, step }: RecordedFill): number {
    const known = this.#forms.length;
    for (let number = 0; number < known; number += 1)
      if (isOf(this.#forms[number] as FillForm, record, step)) return number;
    const { instrumentId, side, action, feeAsset, liquidity } = record;
    this.#forms.push({ instrumentId, side, action, feeAsset, liquidity, step });
    return known;
  }

  *[Symbol.iterator](): Iterator<RecordedFill> {
    for (let row = 0; row < this.length; row += 1) yield this.#at(row);
  }

  /** In the order in which they happened; those of one instant as they were learned. */
  inOrderOfTime(): RecordList<RecordedFill> {
    if (this.#isInOrderOfTime) return this;
    return [...this].sort((one, other) => one.record.eventTime - other.record.eventTime);
  }

  #at(row: number): RecordedFill {
    const block = this.#blocks.blockOf(row);
    const at = placeOf(row);
    const form = this.#forms[block.number(at, FORM)] as FillForm;
    const venueTradeId = this.#venueTradeIds.get(row);
    const record: FillRecord = {
      clientOrderId: block.clientOrderIds[at] as ClientOrderId,
      instrumentId: form.instrumentId,
      side: form.side,
      action: form.action,
      price: block.amount(at, PRICE),
      quantity: block.amount(at, QUANTITY),
      fee: block.amount(at, FEE),
      feeAsset: form.feeAsset,
      liquidity: form.liquidity,
      eventTime: block.number(at, EVENT_TIME),
      ...(venueTradeId !== undefined && { venueTradeId }),
    };
    const quoteRate = block.amount(at, QUOTE_RATE);
    return { record, step: form.step, quoteRate, cause: this.#causes.get(row) };
  }
}

function isOf(form: FillForm, record: FillRecord, step: Fixed): boolean {
  return (
    form.side === record.side &&
    form.action === record.action &&
    form.instrumentId === record.instrumentId &&
    form.liquidity === record.liquidity &&
    form.feeAsset === record.feeAsset &&
    form.step === step
  );
}
