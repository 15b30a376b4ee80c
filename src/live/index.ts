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
} from './bot/bot-control.js';
export { asTrading } from './as-trading.js';
export { contractDifferences } from './market/contract-differences.js';
export { describeLeftBehind, leftByEnding } from './bot/left-behind.js';
export { Activity } from './bot/activity.js';
export {
  findGone,
  GoneInstruments,
  readListings,
  type NamedInstrument,
} from './market/gone-instruments.js';
export { TrackedMarketData } from './session/tracked-market.js';
export {
  SILENT_BOT_LOG,
  type BotLog,
  type LogDecision,
  type LogHeartbeat,
  type LogStateChange,
  type LogWarning,
} from './bot/bot-log.js';
export { describeDecision } from './bot/describe-decision.js';
export { startHeartbeat } from './bot/heartbeat.js';
export { Warming, type StreamWarming } from './bot/warming.js';
export type { EngineSessionOptions, WarmStream } from './session/engine-session.js';
export type { MarksAt } from './session/market-runner.js';
export { lastRateReading } from './market/funding-rate-watch.js';
export { MarketSession, type MarketSessionOptions } from './session/market-session.js';
export type { SessionVenue } from './session/session-terms.js';
export {
  createSessionTime,
  SESSION_PHASES,
  timeOfPhase,
  type SessionPhase,
  type SessionTime,
} from './session/session-time.js';
export { GUARDED_PAUSE_MS, patiently, type PatienceOptions } from './patiently.js';
export type { BotSession, OpenSession, SessionHooks } from './session/bot-session.js';
export { ContractSamples } from './stops/contract-samples.js';
export { isFlatten } from './bot/flattening.js';
export { LiveBot } from './bot/live-bot.js';
export type { LiveBotOptions } from './bot/live-bot-options.js';
export type { PaidFunding, PaperMatching, PaperDifference } from './session/paper-matching.js';
export { paperSession } from './session/paper-session.js';
export { seekingSession } from './session/seeking-session.js';
export { venueSession, type VenueSessionOptions } from './session/venue-session.js';
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
