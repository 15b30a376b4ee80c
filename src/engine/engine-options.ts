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
import type { Journal } from './journal.js';
import type { VenueStopTerms } from './orders/venue-stops/venue-stop.js';
import type { RecordKeeping } from './records.js';
import type { RecordedDecisions } from './recovery/recorded-decisions.js';
import type { EngineCheckpoint } from './state/engine-checkpoint.js';
import type { StrategyInputs } from './strategy/strategy-inputs.js';

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
  /** Initial balances of each account; not read if there is a checkpoint. */
  readonly balances: AccountBalances;
  readonly equityCurrency: Asset;
  /**
   * State to continue from: orders, positions, protections and ids are those of the engine that made it. The strategy is a new one: it warms
   * up, and learns of working orders and halts in force with the first event. @defaultValue a new engine without history
   */
  readonly checkpoint?: EngineCheckpoint | undefined;
  /** Whether long and short of a contract can be held at once. Margin never holds both. @defaultValue 'hedge' */
  readonly positionMode?: PositionMode | undefined;
  /** Which stops of contracts are handed to the venue. @defaultValue none: they are sampled */
  readonly venueStops?: VenueStopTerms | undefined;
  /** When funding of contracts is settled, for the protection around it. @defaultValue not known */
  readonly fundingTimes?: FundingTimesAt | undefined;
  /** The funding rate of a contract that the venue shows at an instant; undefined if it is unknown. @defaultValue the rate that was read last */
  readonly fundingRateAt?:
    ((instrumentId: InstrumentId, time: EpochMs) => number | undefined) | undefined;
  /** Interest per hour on the debt of the margin account, as a ratio. @defaultValue 0 */
  readonly hourlyRate?: Fixed | undefined;
  /** Extra debt assumed on top of the known debt of the margin account, as a ratio. @defaultValue 0 */
  readonly owedReserve?: Fixed | undefined;
  /** Fee of a forced close of contracts, as a ratio of the value. @defaultValue 0 */
  readonly maxFeeRate?: Fixed | undefined;
  /** @defaultValue 'cancel' */
  readonly remainder?: 'cancel' | 'resend';
  /**
   * Whether stops, exits and the engine's other work go on without a strategy that has failed. A checkpoint may record such a failure.
   * @defaultValue false: the engine is dead
   */
  readonly outlivesStrategy?: boolean | undefined;
  /** `converged`: the warm-up lasts until indicators have forgotten where they began, if enough candles come before the start. @defaultValue 'lookback' */
  readonly warmUpLength?: 'lookback' | 'converged' | undefined;
  readonly seed: number;
  /** The clock while the strategy is constructed. */
  readonly startTime: EpochMs;
  readonly journal: Journal;
  /** Decisions of a journal, which are used in place of strategy and risk. @defaultValue nothing */
  readonly decisions?: RecordedDecisions | undefined;
  readonly log: StrategyLog;
  /** @defaultValue all, in memory of their own */
  readonly records?: RecordKeeping | undefined;
  /** Notified when a decision depends on an amount of money. @defaultValue none */
  readonly cashWatch?: CashWatch | undefined;
  /** Notified of all that the strategy learns besides the market. @defaultValue none */
  readonly inputs?: StrategyInputs | undefined;
  /** Whether tickers, books, trades and indexes are polled for a strategy that listens to them. @defaultValue false: to ask for one is an error */
  readonly servesReadings?: boolean | undefined;
  /** Returns where in the strategy's text an error was raised; undefined if it is unknown. @defaultValue always unknown */
  readonly describePlace?: ((error: unknown) => string | undefined) | undefined;
  /** Called once with the constructed strategy and its context. */
  readonly onConstructed?:
    ((strategy: StrategyInstance, context: StrategyContext) => void) | undefined;
  /** Returns the intent to judge in place of each intent that a strategy raises; undefined drops it. @defaultValue intents are judged as raised */
  readonly reviseIntent?: ((intent: OrderIntent) => OrderIntent | undefined) | undefined;
  /** Called with the verdict of risk on each intent, before the strategy receives it. */
  readonly onVerdict?: ((verdict: Verdict, instrumentId: InstrumentId) => void) | undefined;
}
