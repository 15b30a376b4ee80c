import type { EpochMs, InstrumentId, ProductKind, VenueInterval } from '../../domain/index.js';
import type {
  CallOptions,
  CandleOptions,
  DepthSnapshot,
  LimitOptions,
  Listings,
  MarketDataCapabilities,
  MarketDataSource,
  ContractIndex,
  PolledCandle,
  PublicTrade,
  Ticker,
} from '../../venue/index.js';
import type { Activity } from '../bot/activity.js';

/** A source whose calls count as under way until they are answered. So a wait for all work includes the feed's polls. */
export class TrackedMarketData implements MarketDataSource {
  readonly capabilities: MarketDataCapabilities;
  readonly #source: MarketDataSource;
  readonly #activity: Activity;

  constructor(source: MarketDataSource, activity: Activity) {
    this.capabilities = source.capabilities;
    this.#source = source;
    this.#activity = activity;
  }

  ping(product: ProductKind, options: CallOptions): Promise<void> {
    return this.#activity.during(() => this.#source.ping(product, options));
  }

  serverTime(product: ProductKind, options: CallOptions): Promise<EpochMs> {
    return this.#activity.during(() => this.#source.serverTime(product, options));
  }

  listings(product: ProductKind, options: CallOptions): Promise<Listings> {
    return this.#activity.during(() => this.#source.listings(product, options));
  }

  candles(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    options: CandleOptions,
  ): Promise<readonly PolledCandle[]> {
    return this.#activity.during(() => this.#source.candles(instrumentId, interval, options));
  }

  ticker(instrumentId: InstrumentId, options: CallOptions): Promise<Ticker> {
    return this.#activity.during(() => this.#source.ticker(instrumentId, options));
  }

  depth(instrumentId: InstrumentId, options: LimitOptions): Promise<DepthSnapshot> {
    return this.#activity.during(() => this.#source.depth(instrumentId, options));
  }

  trades(instrumentId: InstrumentId, options: LimitOptions): Promise<readonly PublicTrade[]> {
    return this.#activity.during(() => this.#source.trades(instrumentId, options));
  }

  markPrice(instrumentId: InstrumentId, options: CallOptions): Promise<ContractIndex> {
    return this.#activity.during(() => this.#source.markPrice(instrumentId, options));
  }
}
