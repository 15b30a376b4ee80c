import type { Side } from '../orders/intent.js';
import type { EpochMs } from '../time.js';
import type { InstrumentId } from './instrument.js';

/** How many of the best levels per side of an order book a strategy receives. */
export const DEPTH_LEVELS = 20;

interface Read {
  readonly instrumentId: InstrumentId;
  /** When the engine received it. */
  readonly time: EpochMs;
}

/** Figures of the last 24 hours, float64: prices in quote, volume in base or contracts. Figures that a venue does not give are left out. */
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

/** One public trade, float64: price in quote per base, quantity in base or contracts. */
export interface TradePrint {
  readonly instrumentId: InstrumentId;
  /** Time of the trade. */
  readonly time: EpochMs;
  readonly price: number;
  readonly quantity: number;
  /** The side that crossed the spread. */
  readonly takerSide: Side;
}

/** Public trades that were not reported before, oldest first. */
export interface TradesReading extends Read {
  readonly kind: 'trades';
  readonly trades: readonly TradePrint[];
}

/** Mark and index of a contract, quote per base, and its funding rates as ratios per period, float64. Rates that a venue does not give are left out. */
export interface IndexReading extends Read {
  readonly kind: 'index';
  readonly markPrice: number;
  readonly indexPrice: number;
  /** The rate that is settled at the end of the current period. */
  readonly fundingRate?: number | undefined;
  /** The current estimate for the period after it. */
  readonly nextFundingRate?: number | undefined;
}

/** A reading that a strategy can have polled besides candles. Backtests have none, because readings are not stored. */
export type MarketReading = TickerReading | DepthReading | TradesReading | IndexReading;

/** One stream of readings. */
export interface ReadingStream {
  readonly kind: MarketReading['kind'];
  readonly instrumentId: InstrumentId;
}
