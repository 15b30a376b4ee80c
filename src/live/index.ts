export {
  BOT_STATES,
  GUARD_STANDBYS,
  RELOAD_STATES,
  type ReloadStatus,
  type BotControl,
  type BotEnd,
  type BotState,
  type BotStatus,
  type GuardStandby,
  type StopPolicy,
} from './bot-control.js';
export { asTrading } from './as-trading.js';
export { faceDifferences } from './face-differences.js';
export { describeLeftBehind, leftByEnding } from './left-behind.js';
export { Activity } from './activity.js';
export {
  findGone,
  GoneInstruments,
  readListings,
  type NamedInstrument,
} from './gone-instruments.js';
export { TrackedMarketData } from './tracked-market.js';
export {
  advanceLife,
  beginLife,
  LIFE_TRANSITIONS,
  listReasons,
  type BotLife,
  type LifeEvent,
  type LifePhase,
  type LifeReason,
} from './bot-life.js';
export {
  SILENT_BOT_LOG,
  type BotLog,
  type LogDecision,
  type LogHeartbeat,
  type LogStateChange,
  type LogWarning,
} from './bot-log.js';
export { describeDecision } from './describe-decision.js';
export { startHeartbeat } from './heartbeat.js';
export { Watchdog, type WatchedStream } from './watchdog.js';
export { Warming, type StreamWarming } from './warming.js';
export type { EngineSessionOptions, WarmStream } from './engine-session.js';
export type { MarksAt } from './market-runner.js';
export { lastRateReading } from './funding-rate-watch.js';
export { MarketSession, type MarketSessionOptions } from './market-session.js';
export type { SessionVenue } from './session-terms.js';
export type { SentOrderState } from './sent-orders.js';
export {
  createSessionTime,
  SESSION_PHASES,
  timeOfPhase,
  type SessionPhase,
  type SessionTime,
} from './session-time.js';
export { GUARDED_PAUSE_MS, patiently, type PatienceOptions } from './patiently.js';
export type { BotSession, OpenSession, SessionHooks } from './bot-session.js';
export { ContractSamples } from './sampling/contract-samples.js';
export { isFlatten } from './flattening.js';
export { LiveBot } from './live-bot.js';
export type { LiveBotOptions } from './live-bot-options.js';
export type { PaidFunding, PaperMatching, PaperDifference } from './paper-matching.js';
export { paperSession } from './paper-session.js';
export { seekingSession } from './seeking-session.js';
export { venueSession, type VenueSessionOptions } from './venue-session.js';
export { compareTerms, type AssertedTerms } from './recovery/compare-terms.js';
export type { Disagreement, TermsDifference, UnverifiedTerms } from './recovery/disagreements.js';
export { believe, type BelievedBalance } from './recovery/belief.js';
export {
  compareHoldings,
  compareVenue,
  readAccounts,
  type CompareVenueOptions,
} from './recovery/compare-venue.js';
export { describeDisagreement } from './recovery/describe-disagreement.js';
export { adoptable, lookAgain, settleStart } from './recovery/settle-start.js';
export { lastTradeBefore, ordersOf, resumeFills } from './recovery/resume-fills.js';
export { resolveOrders, restoreSessionOrders } from './recovery/restore-orders.js';
export { claimInto, type ClaimedState } from './recovery/claim.js';
