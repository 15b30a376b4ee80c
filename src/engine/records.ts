import type {
  EpochMs,
  FillRecord,
  Fixed,
  ForcedCause,
  InstrumentId,
  OrderCause,
  OrderRequest,
  OrderState,
  PositionAction,
  QuantityUnit,
  Refusal,
  TradedAt,
  Work,
} from '../domain/index.js';
import type { BlockMemory } from './history/record-memory.js';
import type { Financing } from './portfolio/financing.js';

/** What is kept of a run, in order: to be gone through, as often as wanted. Entries may be made as they are read. */
export interface RecordList<T> extends Iterable<T> {
  readonly length: number;
}

/** How the records of a run are kept. Nothing is decided by them. */
export interface RecordKeeping {
  /**
   * Of orders that have ended, fills, refusals, halts and payments, how many of the last are kept, and at most twice as many: what a journal has
   * a bot that runs for months need not hold. @defaultValue all
   */
  readonly kept?: number | undefined;
  /** Where orders and fills lie. @defaultValue memory of the run's own */
  readonly memory?: BlockMemory | undefined;
}

/** An order as it was sent, and how it stands or has ended. */
export interface RecordedOrder extends OrderState {
  readonly request: OrderRequest;
  readonly cause: OrderCause;
  /** As the strategy gave it to the intent. */
  readonly label: string | undefined;
  readonly state: OrderState;
  readonly isFinal: boolean;
}

/** A refusal with when and for what it was given, and those that were equal but for what was asked. */
export interface RecordedRefusal {
  /** Of the first. */
  readonly time: EpochMs;
  readonly lastTime: EpochMs;
  readonly count: number;
  readonly instrumentId: InstrumentId;
  readonly refusal: Refusal;
}

/** What became of one worked intent, on the side of one instrument. */
export interface RecordedWork extends TradedAt {
  readonly intentId: number;
  readonly instrumentId: InstrumentId;
  readonly action: PositionAction;
  readonly label: string | undefined;
  readonly work: Work;
  /** Wanted at first, in `unit`. */
  readonly quantity: Fixed;
  readonly unit: QuantityUnit;
  /** When risk was asked for the first of its orders. */
  readonly from: EpochMs;
  /** When the last of its orders ended; undefined while it is worked. */
  readonly to: EpochMs | undefined;
}

/** What a fill did, with what is needed to value it later, and not whose order it was of. */
export interface RecordedEffect {
  readonly record: Omit<FillRecord, 'clientOrderId' | 'venueTradeId'>;
  /** Quantity step in force. */
  readonly step: Fixed;
  /** Units of the equity currency per unit of the instrument's quote, when the fill was learned. */
  readonly quoteRate: Fixed;
  /** The same per unit of a fee that is in neither base nor quote; undefined where nothing values it, and for other fees. */
  readonly feeRate?: Fixed | undefined;
  /** Why the venue traded for us; undefined for fills of our orders. */
  readonly cause: ForcedCause | undefined;
}

/** A fill with what is needed to value it later. */
export interface RecordedFill extends RecordedEffect {
  readonly record: FillRecord;
}

export interface RecordedFills extends RecordList<RecordedFill> {
  /** What the fill at a place did, counted from 0; undefined behind the last. */
  at(index: number): RecordedEffect | undefined;
}

/** Funding or interest with what it cost in the equity currency when it was learned; negative when received. */
export interface RecordedFinancing extends Financing {
  readonly cost: Fixed;
}

/** What a run paid, or received, besides trades, in the equity currency. */
export interface Costs {
  /** Each as its fill valued it. */
  readonly fees: Fixed;
  /** Negative when received. */
  readonly funding: Fixed;
  readonly interest: Fixed;
  /** Received: what the venue paid of losses beyond the margin. */
  readonly insurance: Fixed;
}
