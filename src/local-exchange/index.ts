export { AccountBook } from './accounts/account-book.js';
export {
  accountDraftSchema,
  completeAccount,
  type AccountDraft,
} from './accounts/account-draft.js';
export type { AccountSettings } from './accounts/account-settings.js';
export { MarketTime, type ClockMode } from './clock/market-time.js';
export { FaultPlan, parseFaultRule } from './faults/fault-plan.js';
export type { FaultKind, FaultRule, FaultRuleInput } from './faults/fault-rule.js';
export { CallLimits, type CallLimitOptions } from './http/call-limits.js';
export { createApp, type AppOptions } from './http/create-app.js';
export { serveExchange, type ServedExchange, type ServeOptions } from './http/serve.js';
export type { ExchangeTimers } from './http/timers.js';
export { LocalExchange, type LocalExchangeParts, type NextInstants } from './local-exchange.js';
export { buildExchange, type ExchangeBuild, type ExecutionTerms } from './build-exchange.js';
export type { AccountVenue } from './accounts/account-venue.js';
export { buildVenueExchange, type VenueExchangeBuild } from './build-venue-exchange.js';
export type { ExchangeJournal, ExchangeJournalEntry } from './state/journal-entry.js';
export { openExchangeState, type ExchangeState } from './state/sqlite-state.js';
export type { ListedSource, ExchangeListing } from './market/load-market.js';
export { shiftToNow, StoredMarket } from './market/load-market.js';
export {
  SyntheticMarket,
  type SyntheticListing,
  type SyntheticMarketOptions,
} from './market/synthetic-market.js';
export { SimulatedAccount } from './accounts/simulated-account.js';
