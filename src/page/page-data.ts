/**
 * Data of a page: plain JSON that this module makes and the scripts in `browser/` read. The two share these types and nothing else. Amounts are decimal text,
 * times UTC milliseconds.
 */

/** A page of one run, of several compared runs, of a sweep, of an audit, or of a walk-forward. */
export type PageData = RunPage | ComparisonPage | SweepPage | AuditPage | WalkForwardPage;

export type PageTone = 'plain' | 'good' | 'warn' | 'bad';

export interface PageFigure {
  readonly label: string;
  readonly value: string;
  readonly tone?: PageTone;
}

export interface PageNote {
  readonly label: string;
  readonly lines: readonly string[];
  readonly tone?: PageTone;
}

export type PagePoint = readonly [time: number, amount: string];

interface PageDrawdown {
  readonly from: number;
  readonly low: number;
  readonly to: number | null;
  readonly depth: number;
}

export interface PageCurve {
  readonly points: readonly PagePoint[];
  /** Number of points in the result; more than `points` if some were left out. */
  readonly of: number;
  readonly drawdowns: readonly PageDrawdown[];
}

/** Columns of equal length. */
export interface PageTrades {
  readonly instrument: readonly number[];
  readonly isLong: readonly (0 | 1)[];
  readonly isOpen: readonly (0 | 1)[];
  readonly entryTime: readonly number[];
  readonly entryPrice: readonly (string | null)[];
  readonly quantity: readonly string[];
  readonly exitTime: readonly (number | null)[];
  readonly exitPrice: readonly (string | null)[];
  readonly duration: readonly number[];
  readonly gross: readonly string[];
  readonly fees: readonly string[];
  readonly funding: readonly string[];
  readonly interest: readonly string[];
  readonly profit: readonly string[];
  readonly return: readonly (number | null)[];
  readonly mae: readonly string[];
  readonly mfe: readonly string[];
  readonly shortfall: readonly (string | null)[];
  /** Indexes into `texts`. */
  readonly label: readonly number[];
  readonly exitCause: readonly number[];
  readonly legs: readonly number[];
}

export interface PageFills {
  readonly instrument: readonly number[];
  readonly time: readonly number[];
  readonly price: readonly string[];
  readonly quantity: readonly string[];
  readonly isBuy: readonly (0 | 1)[];
  readonly isOpening: readonly (0 | 1)[];
  readonly isMaker: readonly (0 | 1)[];
  readonly cause: readonly number[];
  readonly order: readonly string[];
  /** Index of its trade; -1 if trades are not listed. */
  readonly trade: readonly number[];
  readonly label: readonly number[];
  /** Intent of its order; 0 if the venue made the trade, or if the intent is not known. */
  readonly intent: readonly number[];
  /** Whether its order was filled in parts. */
  readonly isPart: readonly (0 | 1)[];
}

/** A column in the form of the file: see `pack-columns.ts`. */
export type PageColumn = readonly (number | string | null)[] | PackedColumn;

export interface PackedColumn {
  /** `steps`: differences of whole numbers, in units of `unit`. `numbers`: the numbers themselves. `texts`: texts. */
  readonly as: 'steps' | 'numbers' | 'texts';
  readonly unit: number;
  readonly text: string;
}

export type PageColumns<Table> = Readonly<Record<keyof Table, PageColumn>>;

/** A {@link RunPage} in the form of the file. */
interface WrittenRun extends Omit<RunPage, 'trades' | 'fills'> {
  readonly trades: PageColumns<PageTrades> | null;
  readonly fills: PageColumns<PageFills>;
}

/** {@link PageData} in the form of the file. */
export type WrittenPage = Exclude<PageData, RunPage> | WrittenRun;

/** Packed candles of one length: see `pack-candles.ts`. */
export interface PackedCandles {
  readonly stepMs: number;
  /** Unit of the times, if it is not `stepMs`. */
  readonly unitMs?: number;
  readonly count: number;
  /** Decimals of the prices. Packed prices are whole numbers in units of the last decimal. */
  readonly decimals: number;
  readonly base64: string;
}

export interface PageCandles {
  readonly instrument: number;
  readonly interval: string;
  readonly stepMs: number;
  readonly rows: number;
  /** The coarsest first. The last level is exact and may have gaps. */
  readonly levels: readonly PackedCandles[];
  /** Spans in which the last level has every candle. */
  readonly exact: readonly (readonly [number, number])[];
  /** Sentence about spans that were left out for lack of room; empty if none were. */
  readonly left: string;
}

/** A line that a strategy recorded. */
export interface PagePlot {
  readonly name: string;
  readonly instrument: number;
  readonly time: readonly number[];
  readonly value: readonly number[];
}

/** Explanation of one intent: the chain from its data to its outcome. */
export interface PageReason {
  readonly intent: number;
  readonly lines: readonly string[];
}

interface PageBreakdown {
  readonly by: string;
  readonly key: string;
  readonly trades: number;
  readonly wins: number;
  readonly gross: string;
  readonly fees: string;
  readonly funding: string;
  readonly interest: string;
  readonly profit: string;
}

export interface RunPage {
  readonly kind: 'run';
  readonly title: readonly string[];
  readonly currency: string;
  /** Most decimals of an amount of this currency that is not below 1. */
  readonly decimals: number;
  readonly from: number;
  readonly to: number;
  readonly instruments: readonly string[];
  /** Labels and causes, which columns refer to by index. The first text is empty. */
  readonly texts: readonly string[];
  readonly figures: readonly PageFigure[];
  readonly notes: readonly PageNote[];
  readonly hashes: readonly PageFigure[];
  readonly curve: PageCurve;
  readonly benchmark: {
    readonly name: string;
    readonly figures: readonly PageFigure[];
    readonly points: readonly PagePoint[];
  } | null;
  /** Lowest and highest equity of the runs over the possible paths of the candles. */
  readonly ribbon: {
    readonly text: string;
    readonly points: readonly (readonly [number, string, string])[];
  } | null;
  readonly months: readonly {
    readonly year: number;
    readonly month: number;
    readonly value: number | null;
  }[];
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly rolling: {
    readonly days: number;
    readonly points: readonly {
      readonly time: number;
      readonly sharpe: number | null;
      readonly volatility: number | null;
    }[];
  };
  readonly candles: readonly PageCandles[];
  /** Why the page has no candles; empty if it has some. */
  readonly noCandles: string;
  readonly plots: readonly PagePlot[];
  readonly trades: PageTrades | null;
  readonly fills: PageFills;
  readonly refusals: readonly {
    readonly time: number;
    readonly last: number;
    readonly count: number;
    readonly instrument: number;
    readonly check: string;
    readonly text: string;
  }[];
  readonly halts: readonly {
    readonly time: number;
    readonly until: number | null;
    readonly text: string;
  }[];
  readonly breaks: readonly {
    readonly instrument: number;
    readonly time: number;
    /** Next open after the break; null if candles did not continue, or if the page has none. */
    readonly until: number | null;
  }[];
  readonly undecided: readonly {
    readonly instrument: number;
    readonly spans: readonly (readonly [number, number])[];
  }[];
  readonly flows: readonly {
    readonly time: number;
    readonly kind: string;
    readonly instrument: number;
    readonly amount: string;
  }[];
  readonly costs: readonly PageFigure[];
  /** Explains negative costs; empty if no cost is negative. */
  readonly costNote: string;
  readonly breakdowns: readonly PageBreakdown[];
  readonly parameters: readonly PageFigure[];
  readonly config: string;
  /** Empty for a run without a journal. */
  readonly reasons: readonly PageReason[];
  /** Only if the bot of the run was audited. */
  readonly audit?: PageAudit | undefined;
}

export interface ComparedRun {
  readonly name: string;
  readonly title: readonly string[];
  readonly figures: readonly PageFigure[];
  readonly curve: readonly PagePoint[];
  /** Number of points in the result; more than `curve` if some were left out. */
  readonly of: number;
  readonly currency: string;
  /** As in a {@link RunPage}. */
  readonly decimals: number;
}

export interface ComparisonPage {
  readonly kind: 'comparison';
  readonly runs: readonly ComparedRun[];
  /** Differences of the other runs from the first run; empty if there is no number to compare. */
  readonly rows: readonly {
    readonly label: string;
    /** Format of the differences. A rate is a fraction of 1. */
    readonly kind: 'amount' | 'rate' | 'number';
    readonly values: readonly string[];
    readonly differences: readonly string[];
  }[];
  /** For each other run: its first difference in time from the first run. */
  readonly firstDifferences: readonly string[];
  /** Trades that only one run has; null if a result lists no trades. */
  readonly onlyIn:
    | readonly {
        readonly run: number;
        readonly instrument: string;
        readonly side: string;
        readonly entryTime: number;
        /** Null if still open at the end. */
        readonly exitTime: number | null;
        readonly quantity: string;
        readonly profit: string;
      }[]
    | null;
  readonly inputs: readonly { readonly label: string; readonly values: readonly string[] }[];
}

export interface PageAxis {
  readonly name: string;
  /** Distinct values of all trials: numbers in rising order, others in the order of the trials. */
  readonly values: readonly (string | number | boolean)[];
}

export interface SweepPage {
  readonly kind: 'sweep';
  readonly title: readonly string[];
  readonly objective: string;
  readonly isLargestBest: boolean;
  readonly notes: readonly PageNote[];
  readonly axes: readonly PageAxis[];
  readonly trials: readonly {
    readonly parameters: readonly (string | number | boolean)[];
    /** The objective. */
    readonly figure: number | null;
    /** Whether it breaks a constraint on figures, and so has no rank. */
    readonly isLeftOut: boolean;
    readonly figures: Readonly<Record<string, number | null>>;
    readonly error: string | null;
  }[];
  /** Indexes of trials. */
  readonly best: { readonly index: number; readonly neighbors: readonly number[] } | null;
  readonly sharpe: readonly PageBin[];
  /** Marks in the histogram of Sharpe ratios: the best trial, and the best trial expected from luck alone. */
  readonly sharpeMarks: readonly { readonly at: number; readonly text: string }[];
  readonly significance: PageSignificance | null;
}

interface PageBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A significance judgment in words and pictures. */
export interface PageSignificance {
  readonly notes: readonly PageNote[];
  /** Probabilities, each from its lower to its upper known bound. */
  readonly bands: readonly PageBand[];
  /** Histogram of the logits of PBO. PBO is the share of logits up to 0. Empty without a search. */
  readonly logits: readonly PageBin[];
}

export interface PageBand {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

export interface WalkForwardPage {
  readonly kind: 'walk-forward';
  readonly title: readonly string[];
  readonly figures: readonly PageFigure[];
  readonly notes: readonly PageNote[];
  /** Equity through all tests, starting at 1. */
  readonly curve: readonly (readonly [time: number, value: number])[];
  /** Midnights at which tests begin. */
  readonly starts: readonly number[];
  readonly folds: {
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
  readonly drift: {
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
  readonly bands: readonly PageBand[];
  readonly significance: PageSignificance | null;
}

/** Outcome of an audit in words. */
export interface PageAudit {
  readonly proofs: readonly PageNote[];
  readonly tables: readonly {
    readonly name: string;
    readonly said: string;
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly foot: string;
  }[];
}

export interface AuditPage {
  readonly kind: 'audit';
  readonly title: readonly string[];
  readonly audit: PageAudit;
}
