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

/** Columns of so many fills. */
class FillBlock {
  readonly forms: FillForm[];
  readonly clientOrderIds: ClientOrderId[];
  readonly prices: Fixed[];
  readonly quantities: Fixed[];
  readonly fees: Fixed[];
  readonly quoteRates: Fixed[];
  readonly eventTimes: Float64Array;

  constructor(rows: number) {
    this.forms = new Array<FillForm>(rows);
    this.clientOrderIds = new Array<ClientOrderId>(rows);
    this.prices = new Array<Fixed>(rows);
    this.quantities = new Array<Fixed>(rows);
    this.fees = new Array<Fixed>(rows);
    this.quoteRates = new Array<Fixed>(rows);
    this.eventTimes = new Float64Array(rows);
  }
}

/** Every fill, in the order in which the engine learned of them, as columns: see {@link OrderLog}, also for what is `kept`. */
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
    block.forms[at] = this.#formOf(fill);
    block.clientOrderIds[at] = record.clientOrderId;
    block.prices[at] = record.price;
    block.quantities[at] = record.quantity;
    block.fees[at] = record.fee;
    block.quoteRates[at] = fill.quoteRate;
    block.eventTimes[at] = record.eventTime;
    if (record.venueTradeId !== undefined) this.#venueTradeIds.set(row, record.venueTradeId);
    if (cause !== undefined) this.#causes.set(row, cause);
    if (record.eventTime < this.#latestTime) this.#isInOrderOfTime = false;
    this.#latestTime = record.eventTime;
  }

  #formOf({ record, step }: RecordedFill): FillForm {
    for (const form of this.#forms) if (isOf(form, record, step)) return form;
    const { instrumentId, side, action, feeAsset, liquidity } = record;
    const form = { instrumentId, side, action, feeAsset, liquidity, step };
    this.#forms.push(form);
    return form;
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
    const form = block.forms[at] as FillForm;
    const venueTradeId = this.#venueTradeIds.get(row);
    const record: FillRecord = {
      clientOrderId: block.clientOrderIds[at] as ClientOrderId,
      instrumentId: form.instrumentId,
      side: form.side,
      action: form.action,
      price: block.prices[at] as Fixed,
      quantity: block.quantities[at] as Fixed,
      fee: block.fees[at] as Fixed,
      feeAsset: form.feeAsset,
      liquidity: form.liquidity,
      eventTime: block.eventTimes[at] as EpochMs,
      ...(venueTradeId !== undefined && { venueTradeId }),
    };
    const quoteRate = block.quoteRates[at] as Fixed;
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
