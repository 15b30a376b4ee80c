import type {
  FillRecord,
  Fixed,
  ForcedCause,
  OrderCause,
  OrderRequest,
  OrderState,
} from '../domain/index.js';
import type { BlockMemory } from './history/record-memory.js';
import type { Financing } from './portfolio/financing.js';

/** Records of a run, in order. They can be iterated any number of times. Entries may be created as they are read. */
export interface RecordList<T> extends Iterable<T> {
  readonly length: number;
}

/** How the records of a run are kept. No decision depends on them. */
export interface RecordKeeping {
  /**
   * How many of the last ended orders, fills, refusals, halts and payments are kept; memory holds at most twice as many. A bot that runs for months
   * need not hold what its journal has. @defaultValue all
   */
  readonly kept?: number | undefined;
  /** Memory for orders and fills. @defaultValue memory of the run's own */
  readonly memory?: BlockMemory | undefined;
}

/** An order as it was sent, with its present or final state. */
export interface RecordedOrder extends OrderState {
  readonly request: OrderRequest;
  readonly cause: OrderCause;
  /** As the strategy gave it to the intent. */
  readonly label: string | undefined;
  readonly state: OrderState;
  readonly isFinal: boolean;
}

/** A fill with the rates that value it later, without the ids of its order and trade. */
export interface RecordedEffect {
  readonly record: Omit<FillRecord, 'clientOrderId' | 'venueTradeId'>;
  /** Quantity step in force. */
  readonly step: Fixed;
  /** Units of the equity currency per unit of the instrument's quote, when the engine learned of the fill. */
  readonly quoteRate: Fixed;
  /** The same per unit of a fee asset that is neither base nor quote; undefined if no instrument values it, and for other fees. */
  readonly feeRate?: Fixed | undefined;
  /** Why the venue traded for us; undefined for fills of our orders. */
  readonly cause: ForcedCause | undefined;
}

/** A fill with the rates that value it later. */
export interface RecordedFill extends RecordedEffect {
  readonly record: FillRecord;
}

export interface RecordedFills extends RecordList<RecordedFill> {
  /** The fill at an index from 0, without ids; undefined behind the last. */
  at(index: number): RecordedEffect | undefined;
}

/** Funding or interest, with its cost in the equity currency when the engine learned of it; negative when received. */
export interface RecordedFinancing extends Financing {
  readonly cost: Fixed;
}
