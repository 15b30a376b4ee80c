import type { EpochMs } from '../../domain/index.js';
import type { ReturnMoments } from '../statistics/moments.js';
import type { RealityCheck } from '../statistics/reality-check.js';
import type { SearchedTrial } from './searched-trial.js';

/** Version of the document's shape. Keys may be added within a version; none changes its meaning or goes. */
export const SIGNIFICANCE_VERSION = 1;

/** A figure by both editions of its method, which give other numbers. */
export interface ByEdition {
  readonly edition2012: number;
  readonly edition2026: number;
}

/** What a trial says of itself, as if it were the only one. */
export interface TrialAlone {
  readonly id: string;
  readonly parameters: SearchedTrial['parameters'];
  /** End of its first and of its last whole UTC day. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Sharpe ratio of a year of 365 days. */
  readonly sharpe: number;
  /** Of its daily returns. */
  readonly moments: ReturnMoments;
  /** Probability that its true Sharpe ratio is above 0 (PSR). */
  readonly psr: ByEdition;
  /** Days that are needed until that probability is 0.95 (MinTRL); Infinity where it never is. */
  readonly minimumDays: ByEdition;
}

/** How far luck alone goes with so many independent trials. */
export interface LuckOf {
  /** Trials, not whole where they are the effective number. */
  readonly trials: number;
  /** Sharpe ratio of a year that the best of them is expected to show. */
  readonly expectedBest: number;
  /** Probability that the best of them shows as much as the judged trial. */
  readonly probability: number;
  /** Probability that the true Sharpe ratio is above `expectedBest` (DSR), by the editions of 2014 and of 2026. */
  readonly dsr: { readonly edition2014: number; readonly edition2026: number };
}

/** Whether the best of one half of the days was the best of the other (PBO). */
export interface OverfittingFound {
  readonly blocks: number;
  readonly splits: number;
  readonly droppedDays: number;
  readonly probability: number;
  readonly lossProbability: number;
  /** Of what the best shows outside on what it shows inside; null where all show the same inside. */
  readonly slope: number | null;
  /** Logits in classes of equal width, each above `from` and up to `to`; classes up to 0 are the probability. */
  readonly histogram: readonly {
    readonly from: number;
    readonly to: number;
    readonly count: number;
  }[];
}

/** A p-value that was adjusted for the tests beside it, and the annual Sharpe ratio that would have it alone. */
export interface Haircut {
  readonly p: number;
  readonly sharpe: number;
}

/** What is left of the Sharpe ratio after so many tests. */
export interface HaircutFound {
  readonly tests: number;
  /** Two-sided p-value of the trial alone. */
  readonly p: number;
  readonly bonferroni: Haircut;
  readonly sidak: Haircut;
  readonly holm: Haircut;
  readonly bhy: Haircut;
}

/** What all trials of a search say of the judged one. */
export interface SearchJudgment {
  /** Trials that came to something. */
  readonly trials: number;
  /** When the first of them ended; null where the ledger does not say. */
  readonly since: EpochMs | null;
  /** Standard deviation of their annual Sharpe ratios. */
  readonly spread: number;
  /** By the effective number, which is the lower end of the band, and by the number of trials, the upper one. */
  readonly luck: { readonly effective: LuckOf; readonly raw: LuckOf };
  /** The table of daily returns that the next two are made of. */
  readonly table: {
    readonly trials: number;
    readonly from: EpochMs;
    readonly to: EpochMs;
    readonly days: number;
    /** Whether the judged trial is one of them. */
    readonly hasTrial: boolean;
    readonly withoutReturns: number;
    readonly otherDays: number;
    readonly notDrawn: number;
  };
  readonly overfitting: OverfittingFound;
  /** Over `meanBlock` days a block on average. */
  readonly reality: RealityCheck & { readonly meanBlock: number };
  readonly haircut: HaircutFound;
}

/** Whether a trial is luck. */
export interface Significance {
  readonly version: typeof SIGNIFICANCE_VERSION;
  readonly strategy: string;
  readonly data: string;
  readonly trial: TrialAlone;
  /** null where the search that the trial is of is not known. */
  readonly search: SearchJudgment | null;
}

const DIGITS = 12;

/**
 * Writes a judgment as JSON text with a line feed at the end. Figures are rounded to 12 digits, because the last ones may differ between versions of
 * V8; what is no number, or infinite, is null.
 */
export function writeSignificance(significance: Significance): string {
  return `${JSON.stringify(significance, (_, value: unknown) => rounded(value), 2)}\n`;
}

function rounded(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
}
