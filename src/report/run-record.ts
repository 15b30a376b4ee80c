import type {
  AccountBalances,
  Asset,
  Direction,
  EpochMs,
  FillRecord,
  Fixed,
  ForcedCause,
  Halt,
  Holding,
  Instrument,
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

import type { CandleEquity, CloseFigures } from './close-tally.js';

/** A value a strategy parameter may have in a result file. */
export type ParameterValue = string | number | boolean;

/** What ran, on what. Hashes are lower-case hexadecimal text. */
export interface RunIdentity {
  /** Hash of the inputs: configuration, data, strategy source, engine version. */
  readonly id: string;
  /** The strategy's name. */
  readonly strategy: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** Start of the run: when the first candle after warm-up opens. */
  readonly from: EpochMs;
  /** End of the run: when the last candle closes. */
  readonly to: EpochMs;
  /** Candles given to the strategy, warm-up not counted. */
  readonly candles: number;
  readonly configHash: string;
  readonly dataHash: string;
  /** Version of the engine. */
  readonly engine: string;
  /** The configuration as plain values, amounts as decimal text, no path in it. @defaultValue it is not told */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Exact equity at the instants that {@link dayEndsBetween} names for `run.from` and `run.to`, in that order: every UTC midnight after
 * the start up to the end, and the end itself. An instant without a candle has the equity that was last known.
 */
export interface DayEquity {
  readonly time: readonly EpochMs[] | Float64Array;
  readonly equity: readonly Fixed[];
}

/** A list that is gone through, as often as wanted. Its entries may be made as they are read; an array is one. */
export interface RunList<T> extends Iterable<T> {
  readonly length: number;
}

/** An order with its last known state. */
export interface RunOrder {
  readonly request: OrderRequest;
  readonly cause: OrderCause;
  /** As the strategy gave it to the intent. */
  readonly label: string | undefined;
  readonly state: OrderState;
}

/** What a fill did, with what is needed to value it, and not whose order it was of. */
export interface FillEffect {
  readonly record: Omit<FillRecord, 'clientOrderId' | 'venueTradeId'>;
  /** Quantity step in force at the fill: a position below it is flat. */
  readonly step: Fixed;
  /** Units of the equity currency that one unit of the instrument's quote asset was worth at the fill; 1 where they are the same. */
  readonly quoteRate: Fixed;
  /** The same per unit of a fee that is in neither base nor quote; undefined where nothing values it, and for other fees. */
  readonly feeRate?: Fixed | undefined;
  /** Why the venue traded for us; undefined for what our orders did. */
  readonly cause?: ForcedCause | undefined;
}

/** A fill with what is needed to value it. */
export interface RunFill extends FillEffect {
  readonly record: FillRecord;
}

/** The fills of a run; an array is one. */
export interface RunFills extends RunList<RunFill> {
  /** What the fill at a place did, counted from 0; undefined behind the last. */
  at(index: number): FillEffect | undefined;
}

/** Funding or interest that one side of one instrument bore. */
export interface RunFinancing {
  readonly time: EpochMs;
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** In the equity currency; negative when received. */
  readonly cost: Fixed;
  /** What joined the position: interest in base makes what is owed more. Base, and its worth in quote. */
  readonly accrued: { readonly quantity: Fixed; readonly value: Fixed };
}

/** Intents that were turned down alike: of one instrument, by one check, at one limit. */
export interface RunRefusal {
  /** Of the first. */
  readonly time: EpochMs;
  readonly lastTime: EpochMs;
  readonly count: number;
  readonly instrumentId: InstrumentId;
  readonly refusal: Refusal;
}

/** What became of one intent that was worked, on the side of one instrument. */
export interface RunWork extends TradedAt {
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
  /** When the last of its orders ended; undefined where it was still worked at the end of the run. */
  readonly to: EpochMs | undefined;
}

/** At what an instrument is valued at the end of a run. */
export interface FinalPrice {
  /** Last; of contracts mark, where one is known. */
  readonly price: Fixed;
  /** Units of the equity currency per unit of what its profit is in: its quote, or the base of inverse contracts. */
  readonly worth: Fixed;
}

/** What was held when the run began, of starting balances. */
export interface RunHolding {
  readonly instrumentId: InstrumentId;
  readonly holding: Holding;
}

/** Money paid over the run, in the equity currency; negative when received. Already part of the equity. */
export interface RunCosts {
  readonly fees: Fixed;
  readonly funding: Fixed;
  readonly interest: Fixed;
  /** Received: what the venue paid of losses beyond the margin. */
  readonly insurance: Fixed;
}

/** Holes in the candles of the run (DESIGN R14). */
export interface RunGaps {
  readonly count: number;
  /** Candles that are missing in them. */
  readonly missing: number;
  /** In the order in which they began. */
  readonly starts: readonly GapStart[];
}

/** The last candle of an instrument before its candles break off, for a while or for good. */
export interface GapStart {
  readonly instrumentId: InstrumentId;
  /** When it closed. */
  readonly time: EpochMs;
  /** Its close. */
  readonly price: Fixed;
  /** Units of the equity currency that one unit of what the instrument is valued in was worth then; 0 while that was not known. */
  readonly worth: Fixed;
}

/** One of the venue's limits, as calls per minute. */
export interface CallLimit {
  readonly name: string;
  readonly perMinute: number;
}

/** What a live bot polls of an instrument, by its config. */
export interface Polls {
  readonly limit: CallLimit;
  readonly perMinute: number;
}

/** By which limits a live bot would trade an instrument, and what it would poll of it. */
export interface InstrumentCalls {
  readonly submit: CallLimit;
  readonly cancel: CallLimit;
  /** Cancels of several orders in one call; undefined where there are none. */
  readonly batchCancel: { readonly limit: CallLimit; readonly orders: number } | undefined;
  readonly candles: Polls;
  /** While orders work. */
  readonly orders: Polls;
  /** While a stop or target is watched. */
  readonly ticker: Polls;
}

/** Everything that happened in a finished run: what the report is made from. */
export interface RunRecord {
  readonly run: RunIdentity;
  /** Instruments of the run, in the order of the configuration. */
  readonly instruments: readonly Instrument[];
  readonly equityCurrency: Asset;
  /** At `run.from`. */
  readonly initialEquity: Fixed;
  /** Held at `run.from`, at its worth then; selling it is a trade that began with the run. */
  readonly openingHoldings: readonly RunHolding[];
  /** At `run.to`, open positions marked to the last close. */
  readonly finalEquity: Fixed;
  /** Where each instrument stood at the end. @defaultValue nothing is known: open trades are not valued */
  readonly finalPrices?: ReadonlyMap<InstrumentId, FinalPrice> | undefined;
  /** What each account holds at the end; results of open contracts are not in it. */
  readonly finalBalances: AccountBalances;
  /** Sum of postings + position values − equity; 0 unless the ledger is wrong (DESIGN R15). */
  readonly residual: Fixed;
  readonly dayEquity: DayEquity;
  /** What equity was at the closes of the execution interval, all together. */
  readonly closes: CloseFigures;
  /** How many of the closes a position was held at. */
  readonly heldCloses: number;
  /** Every close, where they were to be kept. */
  readonly candleEquity?: CandleEquity | undefined;
  /** Intents the strategy made, of every kind. */
  readonly intents: number;
  /** In the order they were sent. */
  readonly orders: RunList<RunOrder>;
  /** How many of the last of them closed what was left at the end. */
  readonly closingOrders: number;
  /** In the order they happened. */
  readonly fills: RunFills;
  /** Funding and interest, in the order they happened. */
  readonly financings: readonly RunFinancing[];
  readonly refusals: readonly RunRefusal[];
  /** By number of the intent. @defaultValue none */
  readonly worked?: readonly RunWork[] | undefined;
  /** The operator's protections that were on, in the order in which they are asked. */
  readonly protections: readonly { readonly name: string; readonly limit: string }[];
  /** In the order in which they began. */
  readonly halts: readonly Halt[];
  readonly costs: RunCosts;
  /** What trading each instrument live needs of the venue's limits. */
  readonly calls: ReadonlyMap<InstrumentId, InstrumentCalls>;
  readonly gaps: RunGaps;
  /** Things a reader must know, said once each, one sentence each. */
  readonly warnings: readonly string[];
  /** Candles whose hidden path could have changed what happened (DESIGN R16). */
  readonly undecidedCandles: number;
  /** Value of the orders, stops, positions and arrivals that made them undecided, in the equity currency. */
  readonly undecidedMoney: Fixed;
  readonly undecidedSpans: ReadonlyMap<InstrumentId, CandleSpans>;
  /** Whether the hidden path of any candle was asked for: where none was, no path could have led elsewhere. */
  readonly isPathAsked: boolean;
}

/** Candles of one instrument, the oldest first. */
export interface CandleSpans {
  readonly opens: readonly EpochMs[];
  readonly closes: readonly EpochMs[];
}
