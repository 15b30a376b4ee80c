export { alignSlices, type CandleSlice, type StreamKey } from './slice-aligner.js';
export { CANDLE_PLAN, type CandlePlan } from './candle-stream.js';
export { MOST_CANDLES, type CandleNotice } from './candle-tracker.js';
export type { FeedTime } from './feed-time.js';
export {
  loadWarmup,
  type LoadedWarmup,
  type OlderCandles,
  type WarmupOptions,
} from './load-warmup.js';
export { pagedCandles, storedCandles } from './older-candles.js';
export {
  MARKET_PLAN,
  MarketFeed,
  tickerPeriodMs,
  type MarketFeedOptions,
  type MarketPlan,
  type Watched,
} from './market-feed.js';
export { PollQueue } from './poll-queue.js';
export { AGAIN_MS, type LeftAt, type ReadOptions } from './shared-readings.js';
export type { StreamState, StreamStatus } from './stream-monitor.js';
export { FillBook, type EstimateFee, type OwnOrder, type ToldFill } from './account/fill-book.js';
export { SharedAccount } from './account/shared-account.js';
export { compareIds, OwnTrades } from './account/own-trades.js';
