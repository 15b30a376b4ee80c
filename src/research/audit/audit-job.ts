import type { BacktestConfig, listWarmups, RunTrace } from '../../assembly/backtest/index.js';
import type { EpochMs } from '../../domain/index.js';
import type { TrialOutcome } from '../trials/trial-schema.js';
import type { IntentChange, NamedRule } from './intent-change.js';
import type { MarketChange } from './market-change.js';

/** One run of an audit: a bot, and what is other in it than in its file. Data without behavior, which can go to another thread. */
export interface AuditJob {
  readonly config: BacktestConfig;
  /** @defaultValue the market as it is stored */
  readonly change?: MarketChange | undefined;
  /** In which order instruments have their candles of one instant. @defaultValue 'config' */
  readonly order?: 'config' | 'reversed' | 'rotated' | undefined;
  /** Candles that the strategy hears at least before it may trade. @defaultValue as many as it needs */
  readonly leastWarmup?: number | undefined;
  /** Whether what the strategy wanted is kept as text. @defaultValue false */
  readonly keepsWants?: boolean | undefined;
  /** Whether its fields are read, and its draws noticed. @defaultValue false, where `leastWarmup` is not given either */
  readonly isObserved?: boolean | undefined;
  /** What becomes of its intents. @defaultValue they stay */
  readonly intents?: IntentChange | undefined;
  /** Whether the rules are listed that its intents name. @defaultValue false; not together with `intents` */
  readonly listsRules?: boolean | undefined;
  /** Whether what the strategy needs to hear before a start is listed. @defaultValue false */
  readonly listsWarmups?: boolean | undefined;
}

/** What one run of an audit came to. */
export interface AuditRun {
  readonly outcome: TrialOutcome;
  /** What it did; of one that failed up to then. */
  readonly trace: RunTrace;
  /** SHA-256 of its result; undefined where it failed. */
  readonly bytes: string | undefined;
  /** Numbers, and values of indicators, that an observed strategy held in its fields after the first candles that it could trade on. */
  readonly fields: Readonly<Record<string, number>>;
  /** Whether an observed strategy asked for random numbers. */
  readonly drawsRandom: boolean;
  /** Empty where nobody asked. */
  readonly rules: readonly NamedRule[];
  /** Empty where nobody asked. */
  readonly warmups: ReturnType<typeof listWarmups>;
}

/** Runs jobs of an audit, as many at once as it was made for; each of its places has loaded the plugin once. */
export interface AuditRunner {
  readonly jobs: number;
  /** @throws whatever is no fault of the strategy. */
  run(job: AuditJob): Promise<AuditRun>;
  /** Ends what is running, at once. */
  close(): Promise<void>;
}

/** Where a run was begun, with what had run before: the same each time but for what may not matter. */
export interface AuditPlace {
  readonly jobs: number;
  /** Added to the clock of the machine before the plugin is loaded, in ms. @defaultValue 0 */
  readonly clockOffsetMs?: EpochMs | undefined;
}
