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

/** Fills in one block. */
const ROWS = 512;

/** Columns of so many fills. Blocks, because a list that grows is copied as often as it doubles. */
class FillBlock {
  readonly clientOrderIds = new Array<ClientOrderId>(ROWS);
  readonly instrumentIds = new Array<InstrumentId>(ROWS);
  readonly sides = new Array<Side>(ROWS);
  readonly actions = new Array<PositionAction>(ROWS);
  readonly prices = new Array<Fixed>(ROWS);
  readonly quantities = new Array<Fixed>(ROWS);
  readonly fees = new Array<Fixed>(ROWS);
  readonly feeAssets = new Array<Asset>(ROWS);
  readonly liquidities = new Array<Liquidity>(ROWS);
  readonly eventTimes = new Float64Array(ROWS);
  readonly steps = new Array<Fixed>(ROWS);
  readonly quoteRates = new Array<Fixed>(ROWS);
}

/** Every fill, in the order in which the engine learned of them, as columns: see {@link OrderLog}, also for what is `kept`. */
export class FillLog implements RecordList<RecordedFill> {
  readonly #kept: number;
  #blocks: FillBlock[] = [];
  /** Those that few have, by row. */
  readonly #venueTradeIds = new Map<number, string>();
  readonly #causes = new Map<number, ForcedCause>();
  #length = 0;
  #latestTime: EpochMs = Number.NEGATIVE_INFINITY;
  #isInOrderOfTime = true;

  constructor(kept = Infinity) {
    this.#kept = kept;
  }

  get length(): number {
    return this.#length;
  }

  add(fill: RecordedFill): void {
    this.#write(fill);
    if (this.#length >= 2 * this.#kept) this.#forget();
  }

  /** Drops all but those that are wanted. */
  #forget(): void {
    const last = [...this].slice(-this.#kept);
    this.#blocks = [];
    this.#venueTradeIds.clear();
    this.#causes.clear();
    this.#length = 0;
    for (const fill of last) this.#write(fill);
  }

  #write({ record, step, quoteRate, cause }: RecordedFill): void {
    const row = this.#length;
    const at = row % ROWS;
    if (at === 0) this.#blocks.push(new FillBlock());
    const block = this.#blockOf(row);
    block.clientOrderIds[at] = record.clientOrderId;
    block.instrumentIds[at] = record.instrumentId;
    block.sides[at] = record.side;
    block.actions[at] = record.action;
    block.prices[at] = record.price;
    block.quantities[at] = record.quantity;
    block.fees[at] = record.fee;
    block.feeAssets[at] = record.feeAsset;
    block.liquidities[at] = record.liquidity;
    block.eventTimes[at] = record.eventTime;
    block.steps[at] = step;
    block.quoteRates[at] = quoteRate;
    if (record.venueTradeId !== undefined) this.#venueTradeIds.set(row, record.venueTradeId);
    if (cause !== undefined) this.#causes.set(row, cause);
    if (record.eventTime < this.#latestTime) this.#isInOrderOfTime = false;
    this.#latestTime = record.eventTime;
    this.#length = row + 1;
  }

  *[Symbol.iterator](): Iterator<RecordedFill> {
    for (let row = 0; row < this.#length; row += 1) yield this.#at(row);
  }

  /** In the order in which they happened; those of one instant as they were learned. */
  inOrderOfTime(): RecordList<RecordedFill> {
    if (this.#isInOrderOfTime) return this;
    return [...this].sort((one, other) => one.record.eventTime - other.record.eventTime);
  }

  #blockOf(row: number): FillBlock {
    return this.#blocks[Math.floor(row / ROWS)] as FillBlock;
  }

  #at(row: number): RecordedFill {
    const { steps, quoteRates } = this.#blockOf(row);
    return {
      record: this.#recordAt(row),
      step: steps[row % ROWS] as Fixed,
      quoteRate: quoteRates[row % ROWS] as Fixed,
      cause: this.#causes.get(row),
    };
  }

  #recordAt(row: number): FillRecord {
    const block = this.#blockOf(row);
    const at = row % ROWS;
    const venueTradeId = this.#venueTradeIds.get(row);
    return {
      clientOrderId: block.clientOrderIds[at] as ClientOrderId,
      instrumentId: block.instrumentIds[at] as InstrumentId,
      side: block.sides[at] as Side,
      action: block.actions[at] as PositionAction,
      price: block.prices[at] as Fixed,
      quantity: block.quantities[at] as Fixed,
      fee: block.fees[at] as Fixed,
      feeAsset: block.feeAssets[at] as Asset,
      liquidity: block.liquidities[at] as Liquidity,
      eventTime: block.eventTimes[at] as EpochMs,
      ...(venueTradeId !== undefined && { venueTradeId }),
    };
  }
}
