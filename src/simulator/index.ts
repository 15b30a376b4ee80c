export type { FuturesTerms, MarginTerms } from './accounts.js';
export type { KlineQuery } from './book/kline-view.js';
export { MarketView, type DepthQuery, type MarketViewOptions } from './book/market-view.js';
export {
  CandlePath,
  nearestOrder,
  publishedPrice,
  type CandleShape,
  type ExtremeOrder,
  type PathPrice,
  type PathSegment,
} from './candle-path.js';
export { ArrivalQueue } from './clockwork/arrival-queue.js';
export { Clockwork } from './clockwork/clockwork.js';
export { CommandTravel } from './clockwork/command-travel.js';
export type { VenueCommand } from './clockwork/venue-command.js';
export { VenueNews } from './clockwork/venue-news.js';
export type { ConditionalRequest } from './conditional-orders.js';
export { FundingSchedule, type FundingSource } from './funding-schedule.js';
export type {
  FuturesAccountView,
  EndedPositionView,
  PositionView,
} from './futures/account-view.js';
export type { FuturesContract } from './futures/contract-book.js';
export {
  FuturesLedger,
  type FundingResult,
  type FuturesLedgerOptions,
} from './futures/futures-ledger.js';
export type { LiquidationGuard } from './futures/liquidation-guard.js';
export type { LadderStep } from './futures/liquidation-ladder.js';
export { markOnSegment, type MarkMoves } from './futures/liquidation-search.js';
export type { ContractFill, OpenResult } from './futures/margin-book.js';
export type { OpeningTerms, OrderRequirement } from './futures/order-requirement.js';
export type { ClosingResult, ForcedResult } from './futures/position-closing.js';
export { MarginAccount, type MarginAccountOptions } from './margin/margin-account.js';
export { callQuantityOf, type MarginCallStep } from './margin/margin-call.js';
export {
  MarginLedger,
  type MarginLedgerOptions,
  type MarginVerdict,
  type Settlement,
} from './margin/margin-ledger.js';
export type { PriceOf } from './margin/valuation.js';
export type { MarkUse } from './mark-feed.js';
export { InstantSteps } from './instant-steps.js';
export type { InstrumentMarket, MarketChoices, MarketSource } from './instrument-market.js';
export {
  createConstantFees,
  createDatedFees,
  type FeeChange,
  type FeeModel,
  spotFee,
} from './models/fee.js';
export {
  createConstantLatency,
  createDrawnLatency,
  type CommandKind,
  type LatencyModel,
  type LatencyRange,
} from './models/latency.js';
export {
  createFixedSlippage,
  createSquareRootSlippage,
  type SlippageMarket,
  type SlippageModel,
} from './models/slippage.js';
export type { MatchingTerms } from './order-matcher.js';
export type { AssetAmount } from './pair-orders.js';
export type { DoubtfulLevel, WatchedStop } from './path-doubt.js';
export type { FundingTerms } from './futures-clearing.js';
export { PolledVenue, type PolledInstrument, type PolledVenueOptions } from './polled-venue.js';
export { SimulatedVenue, type SimulatedVenueOptions } from './simulated-venue.js';
export type { StoredSeries } from './candle-lookup.js';
export type { VenueState } from './venue-state.js';
export type {
  Charge,
  Execution,
  HeldOrder,
  MarketDemand,
  TradingAccount,
} from './trading-account.js';
export { PriceCorridor } from './price-corridor.js';
export { TrailingCorridor, type TrailingLevel } from './trailing-corridor.js';
