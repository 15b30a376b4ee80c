export type { AccountUpdate } from './account-update.js';
export type {
  AccountSnapshot,
  FuturesAccountSnapshot,
  MarginAssetAccount,
  SpotAccountSnapshot,
  VenuePosition,
} from './account.js';
export type { AccountSource } from './account-source.js';
export type { CallOptions, CandleOptions, PageOptions } from './call-options.js';
export { INTERFACE_CAPABILITIES, type MarketDataCapabilities } from './capabilities.js';
export type { ExecutionAdapter } from './execution-adapter.js';
export type {
  DepthLevel,
  DepthSnapshot,
  FuturesListing,
  Listing,
  Listings,
  ContractIndex,
  PolledCandle,
  PublicTrade,
  SpotListing,
  Ticker,
} from './market-data.js';
export type { LimitOptions, MarketDataSource } from './market-data-source.js';
export type {
  CancelOutcome,
  ConditionalOrder,
  ConditionalOutcome,
  OrderTarget,
  ProfitRecord,
  SubmitOutcome,
  SubmitRejected,
  TriggerKind,
  HistoryOrder,
  VenueOrder,
  VenueOrderRequest,
  VenueTrade,
  VenueTrigger,
} from './orders.js';
export type { OrderUpdate } from './order-update.js';
export type { OpenVenue, Venue, VenueAccess } from './venue.js';
export { isOrderUpdate, type VenueUpdate } from './venue-update.js';
export { CallScheduler, MAX_PASSES } from './rate-limit/call-scheduler.js';
export { WindowLog } from './rate-limit/window-log.js';
export { LONGEST_REST_MS } from './rate-limit/backoff.js';
export { COMMAND_LIMITS } from './rate-limit/command-limits.js';
export { BATCH_CANCEL, POLL_LIMITS } from './rate-limit/poll-limits.js';
export { KEPT_FOR_COMMANDS, limitRulesOf } from './rate-limit/endpoint-limits.js';
export { planStops, sampleMs, type StopPlan } from './rate-limit/stop-plan.js';
export {
  CALL_PRIORITIES,
  isCommand,
  shareOfRule,
  type CallPriority,
  type LimitedCall,
  type LimitRule,
} from './rate-limit/limit-rule.js';
export { RateLimitPolicy, type BudgetUse } from './rate-limit/rate-limit-policy.js';
export type { Ticket } from './rate-limit/ticket.js';
export { requireInstrument, requireOrder, requireOwnId, requirePrice } from './require-asked.js';
export { VenueRefusalError } from './venue-refusal-error.js';
