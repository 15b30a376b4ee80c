/**
 * The second entry point of this module: backtests and the common parts of every bot, without the code that calls a venue. A program that only replays
 * candles loads half as many modules through it.
 */
export type {
  BacktestConfig,
  BotConfig,
  ConfiguredSecret,
  FuturesInstrumentConfig,
  InstrumentConfig,
  SessionConfig,
  IdentifiedModel,
  SimulationConfig,
  VenueModels,
} from '../../config/index.js';
export { createFillTerms } from '../create-venue.js';
export { createEngine } from '../create-engine.js';
export { createRandom } from '../../engine/index.js';
export { PaperVenue } from '../bot/paper-venue.js';
export { journalFile } from '../bot/journal/journal-file.js';
export { checkBot } from '../checks/check-bot.js';
export { checkStrategy } from '../checks/check-strategy.js';
export { findBenchmark } from '../checks/find-benchmark.js';
export { findMissingData } from '../checks/find-missing-data.js';
export { locateError, locateRunError } from '../checks/locate-error.js';
export { requireSimulation } from '../checks/require-simulation.js';
export { findIdleProtections, listActiveChecks } from '../active-checks.js';
export { stopGridsOf } from '../replay/stop-grids.js';
export { runTwice, type TwiceRun } from '../run-twice.js';
export { loadPlugin, type LoadedPlugin } from '../plugins/plugin-loader.js';
export { endOfMarks, readFundingUntil } from '../market/contract-terms-until.js';
export { createRuleBook } from '../market/create-instruments.js';
export {
  describeEpoch,
  replayJournal,
  type ReplayJournalOptions,
  type ReplayOutcome,
  type RunInputs,
} from '../bot/journal/replay-journal.js';
export { isGuardEpoch } from '../bot/position-guard.js';
export { SessionRecorder } from '../bot/journal/session-recorder.js';
export { hashInputs } from '../identity/hash-inputs.js';
export { readTerms, type MarketTerms } from '../market/load-terms.js';
export type { Replay, ReplayOptions } from '../replay/replay.js';
export { resolveFile } from '../plugins/resolve-file.js';
export { PlotRecorder } from '../plot-recorder.js';
export { drivingSeries } from '../market/load-market.js';
export { createHeldPrices } from '../market/held-prices.js';
export { SharedCandles } from '../market/shared-candles.js';
export { createSharedCandles, createSharedMemory } from '../shared-memory.js';
export { prepareMarket, type LoadedMarket } from '../market/prepare-market.js';
export { replayMarket, replayBacktest, tryBacktest } from '../run-backtest.js';
export { replayToFigures, replayToResult } from '../replay-to-result.js';
export type { BacktestOptions, BacktestProgress, RunBegin, RunOptions } from '../run-options.js';
export { FEWEST_RUNS, findBounds, MOST_RUNS } from '../bounds/find-bounds.js';
export { withAllocation } from '../bot/with-allocation.js';
export { ENGINE_VERSION } from '../identity/version.js';
export type { FeeChange, FeeModel, SlippageMarket, SlippageModel } from '../../simulator/index.js';
export {
  countCommands,
  describeDifference,
  findDifference,
  noticesAmong,
  pastOf,
  TraceJournal,
  type RunTrace,
} from '../../determinism/index.js';
export { listWarmups } from '../list-warmups.js';
