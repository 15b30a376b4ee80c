import type {
  AccountBalances,
  Asset,
  CashWatch,
  EpochMs,
  Fixed,
  FundingTimesAt,
  Instrument,
  InstrumentId,
  Interval,
  OrderIntent,
  PositionMode,
  RuleBook,
} from '../domain/index.js';
import type { ProtectionConfig, RiskPolicy } from '../risk/index.js';
import type {
  StrategyClass,
  StrategyContext,
  StrategyInstance,
  StrategyLog,
  Verdict,
} from '../strategy/index.js';
import type { EngineCheckpoint } from './engine-checkpoint.js';
import type { Journal } from './journal.js';
import type { RecordedDecisions } from './recovery/recorded-decisions.js';
import type { RecordKeeping } from './records.js';
import type { VenueStopTerms } from './orders/venue-stop.js';
import type { StrategyInputs } from './strategy-inputs.js';

/** What an engine is made from. */
export interface EngineOptions {
  /** Short and unique per bot; client order ids begin with it. At most 12 letters, digits and `-`. */
  readonly botId: string;
  readonly strategyClass: StrategyClass;
  /** Checked against the strategy's declarations. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly instruments: readonly {
    readonly instrument: Instrument;
    readonly intervals: readonly Interval[];
  }[];
  readonly rules: RuleBook;
  readonly policy: RiskPolicy;
  /** @defaultValue none */
  readonly protections?: ProtectionConfig | undefined;
  /** What each account starts with, where the engine does not go on from a checkpoint. */
  readonly balances: AccountBalances;
  readonly equityCurrency: Asset;
  /**
   * Where to go on from: orders, positions, protections and numbers are those of the engine that made it. The strategy is a new one: it
   * warms up, and is told of the orders that work and the halts in force with the first event. @defaultValue nothing has been done yet
   */
  readonly checkpoint?: EngineCheckpoint | undefined;
  /** Whether long and short of a contract can be held at once. Margin never holds both. @defaultValue 'hedge' */
  readonly positionMode?: PositionMode | undefined;
  /** Which stops of contracts are handed to the venue. @defaultValue none: they are sampled */
  readonly venueStops?: VenueStopTerms | undefined;
  /** When funding of contracts is settled, for the protection around it. @defaultValue not known */
  readonly fundingTimes?: FundingTimesAt | undefined;
  /** Which funding rate of a contract the venue shows at an instant, where that is known. @defaultValue what was read last */
  readonly fundingRateAt?:
    ((instrumentId: InstrumentId, time: EpochMs) => number | undefined) | undefined;
  /** Interest per hour on what the margin account owes, as a ratio. @defaultValue 0 */
  readonly hourlyRate?: Fixed | undefined;
  /** How much more than is known counts as owed there, as a ratio. @defaultValue 0 */
  readonly owedReserve?: Fixed | undefined;
  /** Fee of a forced close of contracts, as a ratio of the value. @defaultValue 0 */
  readonly maxFeeRate?: Fixed | undefined;
  /** @defaultValue 'cancel' */
  readonly remainder?: 'cancel' | 'resend';
  /**
   * Whether stops, exits and all else that is the engine's own go on without a strategy that has failed; a checkpoint may say that one had.
   * @defaultValue false: the engine is dead
   */
  readonly outlivesStrategy?: boolean | undefined;
  /** Whether warm-up is as long as indicators need to forget where they began, where so many candles come before the start. @defaultValue 'lookback' */
  readonly warmUpLength?: 'lookback' | 'converged' | undefined;
  readonly seed: number;
  /** The clock while the strategy is constructed. */
  readonly startTime: EpochMs;
  readonly journal: Journal;
  /** What stands in for strategy and risk, where a journal tells what they wanted. @defaultValue nothing */
  readonly decisions?: RecordedDecisions | undefined;
  readonly log: StrategyLog;
  /** @defaultValue all, in memory of their own */
  readonly records?: RecordKeeping | undefined;
  /** Is told where money decides. @defaultValue nobody */
  readonly cashWatch?: CashWatch | undefined;
  /** Is told what the strategy learns besides the market. @defaultValue nobody */
  readonly inputs?: StrategyInputs | undefined;
  /** Whether tickers, books, trades and indexes are polled for a strategy that listens to them. @defaultValue false: to ask for one is an error */
  readonly servesReadings?: boolean | undefined;
  /** Says where in the strategy's text an error was raised, where that is known. @defaultValue nowhere */
  readonly describePlace?: ((error: unknown) => string | undefined) | undefined;
  /** Called once with the strategy that was constructed, and what it was given. */
  readonly onConstructed?:
    ((strategy: StrategyInstance, context: StrategyContext) => void) | undefined;
  /** Looks at each intent that a strategy raises, and may put another in its place, or nothing. @defaultValue what is raised is wanted */
  readonly reviseIntent?: ((intent: OrderIntent) => OrderIntent | undefined) | undefined;
  /** Called with what risk said to each intent, before the strategy is told. */
  readonly onVerdict?: ((verdict: Verdict, instrumentId: InstrumentId) => void) | undefined;
}
