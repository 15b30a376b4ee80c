export { Engine } from './engine.js';
export { describeAmbientUse, type AmbientUse } from './ambient-uses.js';
export { watchAmbient } from './ambient-watch.js';
export { RecordMemory, type BlockMemory } from './history/record-memory.js';
export { EVENT_LIMITS } from './event-step.js';
export type { EngineOptions } from './engine-options.js';
export type { InputSubject, StrategyInputs } from './strategy-inputs.js';
export {
  describeEvent,
  type Command,
  type EngineEvent,
  type EventSupply,
  type PriceSample,
} from './events.js';
export { writeExact } from './journal/exact-json.js';
export { startingCheckpoint, type EngineCheckpoint } from './engine-checkpoint.js';
export type { Epoch, EpochHashes, EpochHeader, EpochSource, RunMode } from './journal/epoch.js';
export { readJournal, type JournalReader, type StoredEntry } from './journal/journal-reader.js';
export {
  compareEnding,
  divergenceError,
  findAltered,
  replayEntry,
  type Divergence,
} from './journal/replay-entry.js';
export {
  latestOf,
  NO_ORDER_HISTORY,
  type OrderHistory,
  type PastOrder,
} from './journal/order-history.js';
export { takeProcessLock, type ProcessLock } from './journal/process-lock.js';
export {
  openJournal,
  type JournalOptions,
  type JournalSize,
  type SqliteJournal,
} from './journal/sqlite-journal.js';
export {
  MemoryJournal,
  NO_JOURNAL,
  type Journal,
  type JournalEntry,
  type RecordedIntent,
} from './journal.js';
export {
  BOT_STATES,
  STOP_POLICIES,
  type BotControl,
  type BotEnd,
  type BotState,
  type BotStatus,
  type StopPolicy,
} from './live/bot-control.js';
export { Activity } from './live/activity.js';
export { TrackedMarketData } from './live/tracked-market.js';
export {
  advanceLife,
  beginLife,
  LIFE_TRANSITIONS,
  listReasons,
  type BotLife,
  type LifeEvent,
  type LifePhase,
  type LifeReason,
} from './live/bot-life.js';
export {
  SILENT_BOT_LOG,
  type BotLog,
  type LogDecision,
  type LogHeartbeat,
  type LogStateChange,
  type LogWarning,
} from './live/bot-log.js';
export { describeDecision } from './live/describe-decision.js';
export { startHeartbeat, type HeartbeatOptions } from './live/heartbeat.js';
export {
  Watchdog,
  type ConditionListener,
  type WatchdogOptions,
  type WatchedStream,
} from './live/watchdog.js';
export type { EngineSessionOptions, WarmStream } from './live/engine-session.js';
export { lastRateReading } from './live/funding-rate-watch.js';
export {
  MarketSession,
  type MarketSessionOptions,
  type SessionVenue,
} from './live/market-session.js';
export type { SentOrderState } from './live/sent-orders.js';
export {
  createSessionTime,
  SESSION_PHASES,
  timeOfPhase,
  type SessionPhase,
  type SessionTime,
} from './live/session-time.js';
export { patiently, type PatienceOptions } from './live/patiently.js';
export type { BotSession, OpenSession, SessionHooks } from './live/bot-session.js';
export { LiveBot, type LiveBotOptions } from './live/live-bot.js';
export type { PaidFunding, PaperMatching, PaperDifference } from './live/paper-matching.js';
export { paperSession, type PaperSessionOptions } from './live/paper-session.js';
export { venueSession, type VenueSessionOptions } from './live/venue-session.js';
export { compareTerms, type AssertedTerms } from './live/recovery/compare-terms.js';
export type {
  Disagreement,
  TermsDifference,
  UnverifiedTerms,
} from './live/recovery/disagreements.js';
export { believe, type BelievedBalance } from './live/recovery/belief.js';
export {
  compareHoldings,
  compareVenue,
  readAccounts,
  type CompareVenueOptions,
} from './live/recovery/compare-venue.js';
export { describeDisagreement } from './live/recovery/describe-disagreement.js';
export { adoptable, lookAgain, settleStart } from './live/recovery/settle-start.js';
export { lastTradeBefore, ordersOf, resumeFills } from './live/recovery/resume-fills.js';
export {
  compareStreams,
  type StreamId,
  type StreamRoute,
  type StreamWarmup,
} from './market-hub.js';
export type { StopWatch } from './orders/stop-watch.js';
export { claimInto, type ClaimedState } from './recovery/claim.js';
export { Bookkeeper } from './recovery/bookkeeper.js';
export { Portfolio } from './portfolio/portfolio.js';
export type {
  Costs,
  RecordedFinancing,
  RecordedFill,
  RecordedOrder,
  RecordedRefusal,
  RecordList,
} from './records.js';
export type { CandleBatch, CandleSupply } from './candle-run.js';
export { createRandom } from './random.js';
export { systemClock } from './system-clock.js';
export type { WorkingOrder } from './orders/working-order.js';
