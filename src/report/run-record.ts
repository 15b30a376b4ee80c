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
  RecordedRefusal,
  RecordedWork,
  RunCosts,
} from '../domain/index.js';

import type { CandleEquity, CloseFigures } from './figures/close-tally.js';

/** A value of a strategy parameter in a result file. */
export type ParameterValue = string | number | boolean;

/** Identity of a run: its inputs and versions. Hashes are lower-case hexadecimal text. */
export interface RunIdentity {
  /** Hash of the inputs: configuration, data, strategy source, engine version. */
  readonly id: string;
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
  /** The configuration as plain values, amounts as decimal text, no path in it. @defaultValue it is not recorded */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Exact equity at the instants that {@link dayEndsBetween} names for `run.from` and `run.to`, in that order: every UTC midnight after the start up to the
 * end, and the end itself. An instant without a candle has the last known equity.
 */
interface DayEquity {
  readonly time: readonly EpochMs[] | Float64Array;
  readonly equity: readonly Fixed[];
}

/** A list that can be read from start to end any number of times. Its entries may be made as they are read. An array is such a list. */
interface RunList<T> extends Iterable<T> {
  readonly length: number;
}

/** An order with its last known state. */
export interface RunOrder {
  readonly request: OrderRequest;
  readonly cause: OrderCause;
  /** Label that the strategy gave to the intent. */
  readonly label: string | undefined;
  readonly state: OrderState;
}

/** Effect of a fill, with the values needed to price it, but without the id of its order. */
export interface FillEffect {
  readonly record: Omit<FillRecord, 'clientOrderId' | 'venueTradeId'>;
  /** Quantity step in force at the fill: a position below it is flat. */
  readonly step: Fixed;
  /** Worth of one unit of the instrument's quote asset in the equity currency at the fill; 1 if they are the same. */
  readonly quoteRate: Fixed;
  /** Worth of one unit of the fee asset in the equity currency. Undefined if the fee is in base or quote, or if no instrument values the asset. */
  readonly feeRate?: Fixed | undefined;
  /** Why the venue traded by itself; undefined for fills of the bot's own orders. */
  readonly cause?: ForcedCause | undefined;
}

/** A fill with the values needed to price it. */
export interface RunFill extends FillEffect {
  readonly record: FillRecord;
}

/** The fills of a run; an array is one. */
interface RunFills extends RunList<RunFill> {
  /** Effect of the fill at an index, from 0; undefined after the last fill. */
  at(index: number): FillEffect | undefined;
}

/** Funding or interest of one side of one instrument. */
export interface RunFinancing {
  readonly time: EpochMs;
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** In the equity currency; negative when received. */
  readonly cost: Fixed;
  /** Interest in base that joins the position, because it raises the debt. Base, and its worth in quote. */
  readonly accrued: { readonly quantity: Fixed; readonly value: Fixed };
}

/** Values with which a position in an instrument is priced at the end of a run. */
export interface FinalPrice {
  /** Last price; for contracts the mark, if known. */
  readonly price: Fixed;
  /** Units of the equity currency per unit of the asset in which profit is counted: quote, or base for inverse contracts. */
  readonly worth: Fixed;
}

/** A holding when the run began, from the starting balances. */
export interface RunHolding {
  readonly instrumentId: InstrumentId;
  readonly holding: Holding;
}

/** Gaps in the candles of the run (DESIGN R14). */
export interface RunGaps {
  readonly count: number;
  /** Number of missing candles in all gaps. */
  readonly missing: number;
  /** In the order in which they began. */
  readonly starts: readonly GapStart[];
}

/** The last candle of an instrument before a gap, or before its candles end for good. */
export interface GapStart {
  readonly instrumentId: InstrumentId;
  /** Its close time. */
  readonly time: EpochMs;
  /** Its close price. */
  readonly price: Fixed;
  /** Units of the equity currency per unit of the asset in which the instrument is valued, at that time; 0 if it was not known yet. */
  readonly worth: Fixed;
}

/** One of the venue's limits, as calls per minute. */
export interface CallLimit {
  readonly name: string;
  readonly perMinute: number;
}

/** Polls of a live bot for one instrument, by its config. */
export interface Polls {
  readonly limit: CallLimit;
  readonly perMinute: number;
}

/** The limits for a live bot's calls on an instrument, and its polls of the instrument. */
export interface InstrumentCalls {
  readonly submit: CallLimit;
  readonly cancel: CallLimit;
  /** Cancels of several orders in one call; undefined if the venue has no such call. */
  readonly batchCancel: { readonly limit: CallLimit; readonly orders: number } | undefined;
  readonly candles: Polls;
  /** Only while orders work. */
  readonly orders: Polls;
  /** Only while a stop or target is watched. */
  readonly ticker: Polls;
}

/** Record of a finished run, from which the report is made. */
export interface RunRecord {
  readonly run: RunIdentity;
  /** Instruments of the run, in the order of the configuration. */
  readonly instruments: readonly Instrument[];
  readonly equityCurrency: Asset;
  /** At `run.from`. */
  readonly initialEquity: Fixed;
  /** Holdings at `run.from`, at their worth then. A sale of such a holding ends a trade that began with the run. */
  readonly openingHoldings: readonly RunHolding[];
  /** At `run.to`, open positions marked to the last close. */
  readonly finalEquity: Fixed;
  /** Price of each instrument at the end. @defaultValue nothing is known: open trades are not valued */
  readonly finalPrices?: ReadonlyMap<InstrumentId, FinalPrice> | undefined;
  /** Balances of each account at the end, without the unrealized profit of open contracts. */
  readonly finalBalances: AccountBalances;
  /** Sum of postings + position values − equity; 0 unless the ledger is wrong (DESIGN R15). */
  readonly residual: Fixed;
  readonly dayEquity: DayEquity;
  /** Totals of equity over the closes of the execution interval. */
  readonly closes: CloseFigures;
  /** Number of closes with an open position. */
  readonly heldCloses: number;
  /** Equity at every close; only if the run kept it. */
  readonly candleEquity?: CandleEquity | undefined;
  /** Intents the strategy made, of every kind. */
  readonly intents: number;
  /** In the order they were sent. */
  readonly orders: RunList<RunOrder>;
  /** Number of orders at the end of the list that closed positions at the end of the run. */
  readonly closingOrders: number;
  /** In the order they happened. */
  readonly fills: RunFills;
  /** Funding and interest, in the order they happened. */
  readonly financings: readonly RunFinancing[];
  readonly refusals: readonly RecordedRefusal[];
  /** In order of intent number. @defaultValue none */
  readonly worked?: readonly RecordedWork[] | undefined;
  /** Enabled protections of the operator, in the order of their checks. */
  readonly protections: readonly { readonly name: string; readonly limit: string }[];
  /** In the order in which they began. */
  readonly halts: readonly Halt[];
  readonly costs: RunCosts;
  /** Calls that a live bot needs for each instrument, with the venue's limits. */
  readonly calls: ReadonlyMap<InstrumentId, InstrumentCalls>;
  readonly gaps: RunGaps;
  /** Facts that a reader must know: one sentence each, without repetition. */
  readonly warnings: readonly string[];
  /** Candles whose hidden path could have changed what happened (DESIGN R16). */
  readonly undecidedCandles: number;
  /** Value of the orders, stops, positions and arrivals that made them undecided, in the equity currency. */
  readonly undecidedMoney: Fixed;
  readonly undecidedSpans: ReadonlyMap<InstrumentId, CandleSpans>;
  /** Whether the hidden path of any candle was used. If not, every path gives the same run. */
  readonly isPathAsked: boolean;
}

/** Candles of one instrument, the oldest first. */
export interface CandleSpans {
  readonly opens: readonly EpochMs[];
  readonly closes: readonly EpochMs[];
}
