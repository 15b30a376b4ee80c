import type { EpochMs, InstrumentId, ProductKind, VenueInterval } from '../domain/index.js';
import type { CallOptions, CandleOptions } from './call-options.js';
import type { MarketDataCapabilities } from './capabilities.js';
import type {
  DepthSnapshot,
  Listings,
  ContractIndex,
  PolledCandle,
  PublicTrade,
  Ticker,
} from './market-data.js';

/** Options of a call whose answer is a list of bounded length. */
export interface LimitOptions extends CallOptions {
  /** Number of entries: at most 100 levels of depth per side, at most 1,000 trades. @defaultValue 100 */
  readonly limit?: number;
}

/**
 * Reads the public side of a venue: one request per call, nothing cached, nothing polled.
 *
 * Order and duplicates: lists come in rising time (candles by `openTime`, without duplicates) or best price first (depth), whatever the
 * venue sends. Gaps are passed on as they are. Idempotency: every call may be repeated, and an implementation may repeat it itself.
 *
 * Errors of every call: {@link TransportError} when nothing usable came back, {@link RateLimitError} when the venue asks to slow down,
 * {@link WireFormatError} when an answer cannot be understood, {@link DomainError} `E_INSTRUMENT` for a product a call does not serve.
 */
export interface MarketDataSource {
  readonly capabilities: MarketDataCapabilities;
  /** Resolves when the product's host answers. */
  ping(product: ProductKind, options: CallOptions): Promise<void>;
  /** The server's clock. */
  serverTime(product: ProductKind, options: CallOptions): Promise<EpochMs>;
  /** Everything listed, with its rules. `margin` lists what `spot` lists. */
  listings(product: ProductKind, options: CallOptions): Promise<Listings>;
  /** The newest candles. Only the last of them may be open. */
  candles(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    options: CandleOptions,
  ): Promise<readonly PolledCandle[]>;
  ticker(instrumentId: InstrumentId, options: CallOptions): Promise<Ticker>;
  depth(instrumentId: InstrumentId, options: LimitOptions): Promise<DepthSnapshot>;
  /** Recent prints. Of futures only where the venue has them; the interface has none. */
  trades(instrumentId: InstrumentId, options: LimitOptions): Promise<readonly PublicTrade[]>;
  /** Futures only. */
  markPrice(instrumentId: InstrumentId, options: CallOptions): Promise<ContractIndex>;
}
