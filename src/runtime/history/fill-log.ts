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
import type { RecordedFill, RecordList } from '../records.js';

/** Every fill, in the order in which the engine learned of them, as columns: see {@link OrderLog}, also for what is `kept`. */
export class FillLog implements RecordList<RecordedFill> {
  readonly #kept: number;
  readonly #clientOrderIds: ClientOrderId[] = [];
  readonly #instrumentIds: InstrumentId[] = [];
  readonly #sides: Side[] = [];
  readonly #actions: PositionAction[] = [];
  readonly #prices: Fixed[] = [];
  readonly #quantities: Fixed[] = [];
  readonly #fees: Fixed[] = [];
  readonly #feeAssets: Asset[] = [];
  readonly #liquidities: Liquidity[] = [];
  readonly #eventTimes: EpochMs[] = [];
  readonly #steps: Fixed[] = [];
  readonly #quoteRates: Fixed[] = [];
  /** Those that few have, by row. */
  #venueTradeIds = new Map<number, string>();
  #causes = new Map<number, ForcedCause>();
  #isInOrderOfTime = true;

  constructor(kept = Infinity) {
    this.#kept = kept;
  }

  get length(): number {
    return this.#prices.length;
  }

  add({ record, step, quoteRate, cause }: RecordedFill): void {
    const { length } = this;
    const { eventTime } = record;
    if (length > 0 && eventTime < (this.#eventTimes[length - 1] as EpochMs))
      this.#isInOrderOfTime = false;
    this.#clientOrderIds.push(record.clientOrderId);
    this.#instrumentIds.push(record.instrumentId);
    this.#sides.push(record.side);
    this.#actions.push(record.action);
    this.#prices.push(record.price);
    this.#quantities.push(record.quantity);
    this.#fees.push(record.fee);
    this.#feeAssets.push(record.feeAsset);
    this.#liquidities.push(record.liquidity);
    this.#eventTimes.push(eventTime);
    this.#steps.push(step);
    this.#quoteRates.push(quoteRate);
    if (record.venueTradeId !== undefined) this.#venueTradeIds.set(length, record.venueTradeId);
    if (cause !== undefined) this.#causes.set(length, cause);
    if (this.length >= 2 * this.#kept) this.#forget(this.length - this.#kept);
  }

  #forget(count: number): void {
    this.#clientOrderIds.splice(0, count);
    this.#instrumentIds.splice(0, count);
    this.#sides.splice(0, count);
    this.#actions.splice(0, count);
    this.#prices.splice(0, count);
    this.#quantities.splice(0, count);
    this.#fees.splice(0, count);
    this.#feeAssets.splice(0, count);
    this.#liquidities.splice(0, count);
    this.#eventTimes.splice(0, count);
    this.#steps.splice(0, count);
    this.#quoteRates.splice(0, count);
    this.#venueTradeIds = moved(this.#venueTradeIds, count);
    this.#causes = moved(this.#causes, count);
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
    return {
      record: this.#recordAt(row),
      step: this.#steps[row] as Fixed,
      quoteRate: this.#quoteRates[row] as Fixed,
      cause: this.#causes.get(row),
    };
  }

  #recordAt(row: number): FillRecord {
    const venueTradeId = this.#venueTradeIds.get(row);
    return {
      clientOrderId: this.#clientOrderIds[row] as ClientOrderId,
      instrumentId: this.#instrumentIds[row] as InstrumentId,
      side: this.#sides[row] as Side,
      action: this.#actions[row] as PositionAction,
      price: this.#prices[row] as Fixed,
      quantity: this.#quantities[row] as Fixed,
      fee: this.#fees[row] as Fixed,
      feeAsset: this.#feeAssets[row] as Asset,
      liquidity: this.#liquidities[row] as Liquidity,
      eventTime: this.#eventTimes[row] as EpochMs,
      ...(venueTradeId !== undefined && { venueTradeId }),
    };
  }
}

/** By row, when the first rows are gone. */
function moved<T>(byRow: ReadonlyMap<number, T>, gone: number): Map<number, T> {
  return new Map([...byRow].flatMap(([row, value]) => (row < gone ? [] : [[row - gone, value]])));
}
