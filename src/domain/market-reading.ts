import type { InstrumentId } from './instrument.js';
import type { Side } from './intent.js';
import type { EpochMs } from './time.js';

/** Best levels per side that a strategy is shown of an order book. */
export const DEPTH_LEVELS = 20;

interface Read {
  readonly instrumentId: InstrumentId;
  /** When the engine learned of it. */
  readonly time: EpochMs;
}

/** Figures of the last 24 hours, float64: prices in quote, volume in base or contracts. What a venue does not tell is left out. */
export interface TickerReading extends Read {
  readonly kind: 'ticker';
  readonly last: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
  /** Price 24 hours ago. */
  readonly open?: number | undefined;
  readonly bestBid?: number | undefined;
  readonly bestAsk?: number | undefined;
}

/** Resting quantity at one price, float64: quote per base, and base or contracts. */
export interface BookLevel {
  readonly price: number;
  readonly quantity: number;
}

/** An order book at one instant, best price first on both sides, at most {@link DEPTH_LEVELS} levels each. */
export interface DepthReading extends Read {
  readonly kind: 'depth';
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/** One trade of other people, float64: quote per base, and base or contracts. */
export interface TradePrint {
  readonly instrumentId: InstrumentId;
  /** Of the trade. */
  readonly time: EpochMs;
  readonly price: number;
  readonly quantity: number;
  /** Who crossed the spread. */
  readonly takerSide: Side;
}

/** Trades of other people that were not told before, oldest first. */
export interface TradesReading extends Read {
  readonly kind: 'trades';
  readonly trades: readonly TradePrint[];
}

/** Mark and index of a contract, quote per base, and its funding rates as ratios per period, float64. What a venue does not tell is left out. */
export interface IndexReading extends Read {
  readonly kind: 'index';
  readonly markPrice: number;
  readonly indexPrice: number;
  /** Settled at the end of the running period. */
  readonly fundingRate?: number | undefined;
  /** Running estimate for the period after it. */
  readonly nextFundingRate?: number | undefined;
}

/** What a strategy can have polled beside candles. No stored data has it: backtests do without. */
export type MarketReading = TickerReading | DepthReading | TradesReading | IndexReading;

/** One stream of readings. */
export interface ReadingStream {
  readonly kind: MarketReading['kind'];
  readonly instrumentId: InstrumentId;
}
