import type {
  EpochMs,
  Fixed,
  FundingRateKnown,
  Instrument,
  InstrumentId,
} from '../../domain/index.js';
import type { Command, OrderHistory } from '../../engine/index.js';
import type { EstimateFee, FillBook, MarketFeed, PollQueue } from '../../feed/index.js';
import type { AccountSource, ExecutionAdapter, MarketDataSource } from '../../venue/index.js';
import type { EngineSessionOptions } from './engine-session.js';
import type { ForcedTradesOptions } from '../margin/forced-trades.js';
import type { GoneInstruments } from '../market/gone-instruments.js';
import type { InstrumentWatchOptions } from '../market/instrument-watch.js';
import type { ContractSamples } from '../stops/contract-samples.js';
import type { SamplingTerms } from '../stops/session-samples.js';

/** The venue of a session: sources of market data and account, and the target of commands. */
export interface SessionVenue {
  readonly market: MarketDataSource;
  readonly account: AccountSource;
  readonly execution: ExecutionAdapter;
  readonly feed: MarketFeed;
  /** Gives turns to readings of futures accounts, which share one scarce budget with all other futures calls. */
  readonly pollQueue: PollQueue;
  /** Samples the stops of contracts of all bots on the key. @defaultValue each bot samples its own contracts, on their grids */
  readonly contractSamples?: ContractSamples | undefined;
}

/** Settings of a session: its bot, and how it polls. */
export interface SessionTerms extends EngineSessionOptions {
  readonly venue: SessionVenue;
  readonly instruments: readonly Instrument[];
  readonly updatePollMs: number;
  /** How long after its decision an order that opens may still be sent, in ms. @defaultValue for ever */
  readonly entryLifeMs?: number | undefined;
  /** Grid on which the stops of each instrument sample last (DESIGN R9). */
  readonly stopGrids: ReadonlyMap<InstrumentId, number>;
  /** How stops of contracts are sampled by `venue.contractSamples`. @defaultValue 1 %, as often as the limits allow */
  readonly contractStops?: SamplingTerms | undefined;
  readonly idleMs: number;
  /** Which funding rate the venue shows. */
  readonly fundingRateKnown: FundingRateKnown;
  /** Id of the newest own trade that is already known, by instrument. */
  readonly lastTrades: ReadonlyMap<InstrumentId, string>;
  /** Late and external executions before this time are ignored. @defaultValue all of them count */
  readonly since?: EpochMs | undefined;
  /** Whether orders and executions that are not the bot's are ignored. @defaultValue false: they degrade the bot */
  readonly ignoresExternal?: boolean | undefined;
  /** Fills that were already reported. @defaultValue an empty book */
  readonly fills?: FillBook | undefined;
  /** Outcomes of orders, including earlier epochs. @defaultValue nothing */
  readonly history?: OrderHistory | undefined;
  /** Estimates the fee of an execution whose trade the venue does not serve. @defaultValue the reader waits for the trade */
  readonly estimateFee?: EstimateFee | undefined;
  /** Maintenance terms of positions, to recognize liquidations. @defaultValue executions of unknown orders are external */
  readonly forcedTerms?: ForcedTradesOptions['termsAt'] | undefined;
  /** Delays a command: calls `depart` when it is to be sent. In live that is at once; in lockstep, at the time of its arrival. */
  readonly travel: (command: Command, time: EpochMs, depart: () => void) => void;
  /** Rules in force, to compare with the venue's while the session runs. @defaultValue they are not compared */
  readonly rulesOf?: InstrumentWatchOptions['rulesOf'] | undefined;
  /** Instruments that are known to be gone from the venue. Newly found ones are added. @defaultValue none */
  readonly gone?: GoneInstruments | undefined;
  /** Differences between the venue's rules and those of the bot, known at its start. @defaultValue none */
  readonly differing?: InstrumentWatchOptions['differing'];
  /** See `risk.liquidationWarning`. @defaultValue liquidations are not watched */
  readonly liquidationWarning?: Fixed | undefined;
  /** Whether commands and readings go one after the other, as a simulated venue takes them. Time stands still meanwhile. */
  readonly isSequential: boolean;
}
