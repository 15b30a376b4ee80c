/**
 * The second entry point of this module: backtests and what every bot is made of, without what speaks to a venue. What only replays candles loads
 * half as many modules through it.
 */
export {
  CONTRACT_KINDS,
  FEE_ASSET_POLICIES,
  EXTERNAL_ORDER_POLICIES,
  PATH_MODES,
  POSITION_MODES,
  REMAINDER_POLICIES,
  UNVERIFIED_POLICIES,
  VENUE_STOPS,
  type BacktestConfig,
  type BotConfig,
  type FeeAssetPolicy,
  type FeeConfig,
  type ExternalOrderPolicy,
  type FuturesInstrumentConfig,
  type InstrumentConfig,
  type LatencyConfig,
  type LiveConfig,
  type MarginInstrumentConfig,
  type ParameterInput,
  type PathMode,
  type RemainderPolicy,
  type RiskConfig,
  type ConfiguredSecret,
  type SessionConfig,
  type SimulationConfig,
  type SlippageConfig,
  type SpotInstrumentConfig,
  type StrategyConfig,
  type UnverifiedPolicy,
  type VenueConfig,
} from '../bot-config.js';
export { journalFile } from '../journal-file.js';
export { findIdleProtections, listActiveChecks } from '../active-checks.js';
export { noticesAmong } from '../determinism/describe-nondeterminism.js';
export { describeFinding, type PluginFinding, type PluginScan } from '../determinism/finding.js';
export { runTwice, type TwiceRun } from '../determinism/run-twice.js';
export { scanPlugin } from '../determinism/scan-plugin.js';
export { loadPlugin, type LoadedPlugin, type PluginOptions } from '../plugin-loader.js';
export { endOfMarks, readFundingUntil } from '../contract-terms-until.js';
export { createRuleBook } from '../create-instruments.js';
export {
  describeEpoch,
  replayJournal,
  type ReplayJournalOptions,
  type ReplayOutcome,
  type RunInputs,
} from '../replay-journal.js';
export { hashInputs, type InputHashes } from '../hash-inputs.js';
export { readTerms, type MarketTerms } from '../load-terms.js';
export type { ReplayWay } from '../replay-loop-options.js';
export { resolveParameters } from '../resolve-parameters.js';
export { SharedCandles } from '../shared-candles.js';
export { prepareMarket, type LoadedMarket } from '../prepare-market.js';
export { replayMarket, runBacktest } from '../run-backtest.js';
export type { BacktestOptions, BacktestProgress, RunBegin, RunOptions } from '../run-options.js';
export { findBounds, MOST_RUNS, type BoundsOptions } from '../bounds/find-bounds.js';
export { withAllocation } from '../with-allocation.js';
export { ENGINE_VERSION } from '../version.js';
export type { FeeChange } from '../../simulator/index.js';
