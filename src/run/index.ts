/** Backtests and sweeps from a program: the same as the command line, in the caller's process. */
export type {
  Archive,
  DataSource,
  Dump,
  DumpKind,
  DumpSeries,
  VolumeUnit,
} from '../archive/index.js';
export type {
  BacktestProgress,
  FeeModel,
  IdentifiedModel,
  SlippageMarket,
  SlippageModel,
  VenueModels,
} from '../assembly/backtest/index.js';
export {
  Balance,
  ConfigError,
  DataError,
  DataGapError,
  DomainError,
  StrategyError,
  formatFixed,
  parseFixed as fixed,
  parseVenueOrderId,
  TradingError,
  type CandleColumns,
  type EpochMs,
  type ErrorCode,
  type FeeRates,
  type Fixed,
  type InstrumentId,
  type Interval,
  type OrderRequest,
  type OrderStatus,
  type RiskApproved,
  type Side,
} from '../domain/index.js';
export type { Result } from '../report/index.js';
export type { ObjectiveName, SearchProgress, Sweep } from '../research/index.js';
export type { BotState, BotStatus, StopPolicy } from '../live/index.js';
export type { StrategyClass } from '../strategy/index.js';
export type {
  AccountSource,
  ExecutionAdapter,
  MarketDataSource,
  OpenVenue,
  SubmitOutcome,
  Venue,
  VenueAccess,
  VenueOrder,
  VenueTrade,
} from '../venue/index.js';
export { formatResult, formatSweep } from './format-documents.js';
export { openCheckedArchive as openArchive } from './open-archive.js';
export { readResult } from './read-result-file.js';
export { RunAbortedError } from './run-aborted.js';
export { runBacktest, type RunBacktestOptions } from './run-backtest.js';
export { runBot, type RunningBot } from './run-bot.js';
export type { RunBotOptions } from './run-bot-options.js';
export type { RunEvent } from './run-event.js';
export { startBacktest, type RunningBacktest } from './start-backtest.js';
export { runSweep, type RunSweepOptions } from './run-sweep.js';
export type {
  CandleSource,
  CandleValues,
  FundingSource,
  FundingValues,
  MarkSource,
  RunCandles,
} from './run-candles.js';
export type { BotRunDescription, RunDescription } from './run-description.js';
