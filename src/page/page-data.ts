/**
 * What a page is given: plain JSON, made by this module and read by the scripts in `browser/`, which share these types and nothing else. Amounts are decimal text,
 * times UTC milliseconds.
 */

/** A page of one run, of several compared, of a sweep, or of an audit. */
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

export interface PageDrawdown {
  readonly from: number;
  readonly low: number;
  readonly to: number | null;
  readonly depth: number;
}

export interface PageCurve {
  readonly points: readonly PagePoint[];
  /** Where points were left out: how many the result has. */
  readonly of: number;
  readonly drawdowns: readonly PageDrawdown[];
}

/** Columns of one length. */
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
  /** Places in `texts`. */
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
  /** Place of its trade; -1 where trades are not listed. */
  readonly trade: readonly number[];
  readonly label: readonly number[];
  /** Intent of its order; 0 where nobody wanted it. */
  readonly intent: readonly number[];
  /** Whether its order was filled in parts. */
  readonly isPart: readonly (0 | 1)[];
}

/** A column as the file has it: see `pack-columns.ts`. */
export type PageColumn = readonly (number | string | null)[] | PackedColumn;

export interface PackedColumn {
  /** Whole numbers each less the one before it, in units; numbers as they are; or texts. */
  readonly as: 'steps' | 'numbers' | 'texts';
  readonly unit: number;
  readonly text: string;
}

export type PageColumns<Table> = Readonly<Record<keyof Table, PageColumn>>;

/** A {@link RunPage} as the file has it. */
export interface WrittenRun extends Omit<RunPage, 'trades' | 'fills'> {
  readonly trades: PageColumns<PageTrades> | null;
  readonly fills: PageColumns<PageFills>;
}

/** {@link PageData} as the file has it. */
export type WrittenPage = Exclude<PageData, RunPage> | WrittenRun;

/** Candles of one length each, packed: see `pack-candles.ts`. */
export interface PackedCandles {
  readonly stepMs: number;
  readonly count: number;
  /** Digits behind the point: prices are whole numbers of the last of them. */
  readonly decimals: number;
  readonly base64: string;
}

export interface PageCandles {
  readonly instrument: number;
  readonly interval: string;
  readonly stepMs: number;
  readonly rows: number;
  /** The coarsest first; the last one, exact, may have holes. */
  readonly levels: readonly PackedCandles[];
  /** Spans in which the last level has every candle. */
  readonly exact: readonly (readonly [number, number])[];
  /** What was left out of them for want of room; empty where nothing was. */
  readonly left: string;
}

/** A line that a strategy recorded. */
export interface PagePlot {
  readonly name: string;
  readonly instrument: number;
  readonly time: readonly number[];
  readonly value: readonly number[];
}

/** Why an intent became what it became. */
export interface PageReason {
  readonly intent: number;
  readonly lines: readonly string[];
}

export interface PageBreakdown {
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
  readonly from: number;
  readonly to: number;
  readonly instruments: readonly string[];
  /** Labels and causes that columns name by their places; the first is empty. */
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
  /** Lowest and highest equity of the runs over the ways a candle may have moved. */
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
  /** Why there are none; empty where there are. */
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
    /** When candles went on; null where they did not, or where there are none on the page. */
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
  /** What a sign among the costs means; empty where all were paid. */
  readonly costNote: string;
  readonly breakdowns: readonly PageBreakdown[];
  readonly parameters: readonly PageFigure[];
  readonly config: string;
  /** Of a run with a journal. */
  readonly reasons: readonly PageReason[];
  /** Of a run whose bot was audited; absent of others. */
  readonly audit?: PageAudit | undefined;
}

export interface ComparedRun {
  readonly name: string;
  readonly title: readonly string[];
  readonly figures: readonly PageFigure[];
  readonly curve: readonly PagePoint[];
  /** Where points were left out: how many the result has. */
  readonly of: number;
  readonly currency: string;
}

export interface ComparisonPage {
  readonly kind: 'comparison';
  readonly runs: readonly ComparedRun[];
  /** Differences of the numbers of the others from the first; empty where there is none. */
  readonly rows: readonly {
    readonly label: string;
    /** How its differences are written: a rate is in parts of 1. */
    readonly kind: 'amount' | 'rate' | 'number';
    readonly values: readonly string[];
    readonly differences: readonly string[];
  }[];
  /** First difference in time of each other run from the first. */
  readonly firstDifferences: readonly string[];
  readonly onlyIn: readonly {
    readonly run: number;
    readonly instrument: string;
    readonly side: string;
    readonly entryTime: number;
    readonly exitTime: number | null;
    readonly quantity: string;
    readonly profit: string;
  }[];
  readonly inputs: readonly { readonly label: string; readonly values: readonly string[] }[];
}

export interface PageAxis {
  readonly name: string;
  /** In order; of a random search all that were drawn. */
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
    readonly figure: number | null;
    readonly figures: Readonly<Record<string, number | null>>;
    readonly error: string | null;
  }[];
  /** Places in trials. */
  readonly best: { readonly index: number; readonly neighbors: readonly number[] } | null;
  readonly sharpe: readonly PageBin[];
  /** What is marked among the Sharpe ratios, each by its place; the best that luck alone is expected to show is one. */
  readonly sharpeMarks: readonly { readonly at: number; readonly text: string }[];
  readonly significance: PageSignificance | null;
}

export interface PageBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** What a judgment found out, in words and pictures. */
export interface PageSignificance {
  readonly notes: readonly PageNote[];
  /** Probabilities, from the lower end of what is known of them to the upper one. */
  readonly bands: readonly PageBand[];
  /** Logits of PBO; those up to 0 are its share. Empty where no search is known. */
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
  /** What 1 becomes. */
  readonly curve: readonly (readonly [time: number, value: number])[];
  /** Midnights at which a test begins. */
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

/** What an audit found out, in words. */
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
