export { MarketView, type DepthQuery, type MarketViewOptions } from './book/market-view.js';
export {
  CandlePath,
  nearestOrder,
  publishedPrice,
  type PathCandle,
  type ExtremeOrder,
  type PathSegment,
} from './path/candle-path.js';
export { ArrivalQueue } from './clockwork/arrival-queue.js';
export { Clockwork } from './clockwork/clockwork.js';
export { CommandTravel } from './clockwork/command-travel.js';
export type { VenueCommand } from './clockwork/venue-command.js';
export { VenueNews } from './clockwork/venue-news.js';
export type { ConditionalRequest } from './orders/conditional-orders.js';
export { FundingSchedule, type ContractFunding } from './futures/funding-schedule.js';
export type { EndedPositionView } from './futures/account-view.js';
export { FuturesLedger } from './futures/futures-ledger.js';
export { MarginAccount } from './margin/margin-account.js';
export { callQuantityOf } from './margin/margin-call.js';
export { MarginLedger, type MarginLedgerOptions } from './margin/margin-ledger.js';
export { InstantSteps } from './instant-steps.js';
export type { InstrumentMarket } from './instrument-market.js';
export type { MarketSource } from './market-source.js';
export {
  createConstantFees,
  createDatedFees,
  type FeeChange,
  type FeeModel,
  spotFee,
} from './models/fee.js';
export { createDrawnLatency, type LatencyModel, type LatencyRange } from './models/latency.js';
export {
  createFixedSlippage,
  createSquareRootSlippage,
  type SlippageMarket,
  type SlippageModel,
} from './models/slippage.js';
export { PolledVenue } from './polled-venue.js';
export { SimulatedVenue, type SimulatedVenueOptions } from './simulated-venue.js';
export type { StoredSeries } from './path/candle-lookup.js';
export type { VenueState } from './venue-state.js';
export type { HeldOrder } from './accounts/trading-account.js';
export { PriceCorridor } from './path/price-corridor.js';
export { ProofReach } from './path/proof-reach.js';
export { TrailingCorridor } from './path/trailing-corridor.js';
