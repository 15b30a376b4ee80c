import type { BacktestConfig, listWarmups, RunTrace } from '../../assembly/backtest/index.js';
import type { EpochMs } from '../../domain/index.js';
import type { TrialOutcome } from '../trials/trial-schema.js';
import type { IntentChange, NamedRule } from './intent-change.js';
import type { MarketChange } from './market-change.js';

/** One run of an audit: a bot, and its differences from its file. Plain data, which can go to another thread. */
export interface AuditJob {
  readonly config: BacktestConfig;
  /** @defaultValue the market as it is stored */
  readonly change?: MarketChange | undefined;
  /** Order of the instruments' candles at one instant. @defaultValue 'config' */
  readonly order?: 'config' | 'reversed' | 'rotated' | undefined;
  /** Least candles that the strategy receives before it may trade. @defaultValue as many as it needs */
  readonly leastWarmup?: number | undefined;
  /** Whether the intents of the strategy are kept as text. @defaultValue false */
  readonly keepsWants?: boolean | undefined;
  /** Whether the fields of the strategy are read, and its use of random numbers is noticed. @defaultValue true with `leastWarmup`, otherwise false */
  readonly isObserved?: boolean | undefined;
  /** Change of its intents. @defaultValue they stay */
  readonly intents?: IntentChange | undefined;
  /** Whether the rules that its intents name are listed. @defaultValue false; not together with `intents` */
  readonly listsRules?: boolean | undefined;
  /** Whether the candles that the strategy needs before a start are listed. @defaultValue false */
  readonly listsWarmups?: boolean | undefined;
}

/** Outcome of one run of an audit. */
export interface AuditRun {
  readonly outcome: TrialOutcome;
  /** Steps of the run; of a failed run, the steps before the failure. */
  readonly trace: RunTrace;
  /** SHA-256 of its result; undefined if it failed. */
  readonly bytes: string | undefined;
  /** Numbers and indicator values in the fields of an observed strategy, after the first candles on which it could trade. */
  readonly fields: Readonly<Record<string, number>>;
  /** Whether an observed strategy asked for random numbers. */
  readonly drawsRandom: boolean;
  /** Empty without `listsRules`. */
  readonly rules: readonly NamedRule[];
  /** Empty without `listsWarmups`. */
  readonly warmups: ReturnType<typeof listWarmups>;
}

/** Runs jobs of an audit, at most `jobs` at once. Each of its threads has loaded the plugin once. */
export interface AuditRunner {
  readonly jobs: number;
  /** @throws errors that are no fault of the strategy. */
  run(job: AuditJob): Promise<AuditRun>;
  /** Stops all running jobs at once. */
  close(): Promise<void>;
}

/** Conditions under which a runner is started. They must not change the outcome of a run. */
export interface AuditPlace {
  readonly jobs: number;
  /** Added to the clock of the machine before the plugin is loaded, in ms. @defaultValue 0 */
  readonly clockOffsetMs?: EpochMs | undefined;
}
