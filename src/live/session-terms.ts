import type {
  EpochMs,
  Fixed,
  FundingRateKnown,
  Instrument,
  InstrumentId,
} from '../domain/index.js';
import type { Command, OrderHistory } from '../engine/index.js';
import type { EstimateFee, FillBook, MarketFeed, PollQueue } from '../feed/index.js';
import type { AccountSource, ExecutionAdapter, MarketDataSource } from '../venue/index.js';
import type { EngineSessionOptions } from './engine-session.js';
import type { ForcedTradesOptions } from './forced-trades.js';
import type { GoneInstruments } from './gone-instruments.js';
import type { InstrumentWatchOptions } from './instrument-watch.js';
import type { ContractSamples } from './sampling/contract-samples.js';
import type { ContractTerms } from './sampling/session-samples.js';

/** Where a session's market data and its account come from, and where its commands go. */
export interface SessionVenue {
  readonly market: MarketDataSource;
  readonly account: AccountSource;
  readonly execution: ExecutionAdapter;
  readonly feed: MarketFeed;
  /** Whose turn it is to read futures accounts, which share one scarce budget with all else. */
  readonly pollQueue: PollQueue;
  /** Samples the stops of contracts of all bots on the key. @defaultValue each bot samples its own, on their grids */
  readonly contractSamples?: ContractSamples | undefined;
}

/** What a session is told of its bot, and of how it polls. */
export interface SessionTerms extends EngineSessionOptions {
  readonly venue: SessionVenue;
  readonly instruments: readonly Instrument[];
  readonly updatePollMs: number;
  /** How long after its decision an order that opens may still be sent, in ms. @defaultValue for ever */
  readonly entryLifeMs?: number | undefined;
  /** Grid on which the stops of each instrument sample last (DESIGN R9). */
  readonly stopGrids: ReadonlyMap<InstrumentId, number>;
  /** How stops of contracts are sampled where `venue` has what samples them for all. @defaultValue 1 %, as often as the limits allow */
  readonly contractStops?: ContractTerms | undefined;
  readonly idleMs: number;
  /** Which funding rate the venue shows. */
  readonly fundingRateKnown: FundingRateKnown;
  /** Newest own trade that is known already, by instrument. */
  readonly lastTrades: ReadonlyMap<InstrumentId, string>;
  /** What was traded before is nobody's concern. @defaultValue everything is the bot's */
  readonly since?: EpochMs | undefined;
  /** Whether orders and executions that are not the bot's are let be. @defaultValue false: they degrade it */
  readonly ignoresExternal?: boolean | undefined;
  /** What was told of fills before. @defaultValue nothing */
  readonly fills?: FillBook | undefined;
  /** What became of orders, also in epochs before. @defaultValue nothing */
  readonly history?: OrderHistory | undefined;
  /** What an execution costs whose trade the venue does not serve. @defaultValue such an execution is waited for */
  readonly estimateFee?: EstimateFee | undefined;
  /** What the venue asks of positions, to know its liquidations by. @defaultValue executions of unknown orders are external */
  readonly forcedTerms?: ForcedTradesOptions['termsAt'] | undefined;
  /**
   * Lets a command travel: calls `depart` when it is to be sent. In live that is at once; in lockstep, when it would arrive.
   */
  readonly travel: (command: Command, time: EpochMs, depart: () => void) => void;
  /** Rules in force, to be compared with the venue's while the session runs. @defaultValue they are not compared */
  readonly rulesOf?: InstrumentWatchOptions['rulesOf'] | undefined;
  /** Instruments that are known to be gone from the venue. Those of which that is found out are added. @defaultValue none */
  readonly gone?: GoneInstruments | undefined;
  /** See `risk.liquidationWarning`. @defaultValue nobody watches liquidations */
  readonly liquidationWarning?: Fixed | undefined;
  /** Whether commands and readings go one after the other, as a simulated venue takes them: time stands meanwhile. */
  readonly isSequential: boolean;
}
