import type { Candle, EpochMs, InstrumentId, VenueInterval } from '../domain/index.js';
import type { DepthQuery } from '../simulator/index.js';
import type {
  DepthSnapshot,
  FuturesListing,
  ContractIndex,
  PublicTrade,
  SpotListing,
  Ticker,
} from '../venue/index.js';

/** Asks for the newest `limit` candles whose open time lies in the span. */
export interface CandleQuery {
  readonly limit: number;
  readonly startTime: EpochMs | undefined;
  readonly endTime: EpochMs | undefined;
}

/** Candles of an answer: the closed ones, oldest first, and the open one. Equal queries may get the same list object. */
export interface CandleParts {
  readonly closed: readonly Candle[];
  readonly open: Candle | undefined;
}

/**
 * The public side of the exchange: the market that all clients see at an instant of market time.
 *
 * Every answer is a function of the stored candles, the instrument rules and the instant, so all answers of one instant agree. Undefined means that
 * the instrument is not listed, or has not traded by then.
 */
export interface ExchangeMarket {
  isListed(instrumentId: InstrumentId): boolean;
  spotListings(time: EpochMs): readonly SpotListing[];
  futuresListings(time: EpochMs): readonly FuturesListing[];
  depth(instrumentId: InstrumentId, time: EpochMs, query: DepthQuery): DepthSnapshot | undefined;
  ticker(instrumentId: InstrumentId, time: EpochMs): Ticker | undefined;
  /** Newest last, at most `limit`. */
  trades(
    instrumentId: InstrumentId,
    time: EpochMs,
    limit: number,
  ): readonly PublicTrade[] | undefined;
  /** In rising time. The last is the open candle, if one is open. */
  candles(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    time: EpochMs,
    query: CandleQuery,
  ): readonly Candle[] | undefined;
  /** As {@link candles}, in two parts. */
  candleParts(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    time: EpochMs,
    query: CandleQuery,
  ): CandleParts | undefined;
  mark(instrumentId: InstrumentId, time: EpochMs): ContractIndex | undefined;
  /** When the next candle of any instrument closes after an instant; Infinity after the last. */
  nextClose(time: EpochMs): EpochMs;
}
