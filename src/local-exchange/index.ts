export { completeAccount } from './accounts/account-draft.js';
export type { AccountSettings } from './accounts/account-settings.js';
export { type ClockMode } from './clock/market-time.js';
export { parseFaultRule } from './faults/fault-plan.js';
export type { FaultKind, FaultRule, FaultRuleInput } from './faults/fault-rule.js';
export { CallLimits } from './http/call-limits.js';
export { createApp } from './http/create-app.js';
export { serveExchange, type ServedExchange } from './http/serve.js';
export type { ExchangeTimers } from './http/timers.js';
export { LocalExchange } from './local-exchange.js';
export { buildExchange, type ExchangeBuild } from './build-exchange.js';
export type { AccountVenue } from './accounts/account-venue.js';
export { buildVenueExchange, type VenueExchangeBuild } from './build-venue-exchange.js';
export { openExchangeState, type ExchangeState } from './state/sqlite-state.js';
export type { ListedSource, ExchangeListing } from './market/load-market.js';
export { shiftToNow, StoredMarket } from './market/load-market.js';
export {
  SyntheticMarket,
  type SyntheticListing,
  type SyntheticMarketOptions,
} from './market/synthetic-market.js';
export { SimulatedAccount } from './accounts/simulated-account.js';
