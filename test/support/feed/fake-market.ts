import {
  closeTimeOf,
  createInstrumentId,
  floorToInterval,
  nominalIntervalMs,
  parseFixed,
  TransportError,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type VenueInterval,
} from '../../../src/domain/index.js';
import {
  INTERFACE_CAPABILITIES,
  type CandleOptions,
  type DepthSnapshot,
  type Listings,
  type MarketDataSource,
  type ContractIndex,
  type PolledCandle,
  type PublicTrade,
  type Ticker,
} from '../../../src/venue/index.js';
import type { VirtualTime } from '../virtual-time.js';

export const BTC = createInstrumentId('spot', 'BTCUSDT');
export const ETH = createInstrumentId('spot', 'ETHUSDT');

/** Faults of a venue. A test may change each of them at any time. */
export interface MarketFaults {
  /** Milliseconds an answer takes. */
  slowMs: number;
  /** Calls that fail from now on. */
  failures: number;
  /** How late a candle appears after its interval began. */
  publishMs: number;
  /** The venue's clock ahead of ours, in ms. */
  skewMs: number;
  /** Open times without a candle. */
  missing: ReadonlySet<EpochMs>;
  /** Alters each answer of candles. */
  mangle: (candles: readonly PolledCandle[]) => readonly PolledCandle[];
}

/** A venue on a virtual clock. The prices of its candles encode their time. */
export class FakeMarket implements MarketDataSource {
  readonly capabilities = INTERFACE_CAPABILITIES.marketData;
  readonly faults: MarketFaults = {
    slowMs: 0,
    failures: 0,
    publishMs: 0,
    skewMs: 0,
    missing: new Set(),
    mangle: (candles) => candles,
  };
  /** Time and subject of each call. */
  readonly calls: { readonly at: EpochMs; readonly what: string }[] = [];
  prints: readonly PublicTrade[] = [];
  /** Number of current calls by subject, and the largest number at once for one subject. */
  readonly #onTheWay = new Map<string, number>();
  mostAtOnce = 0;
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  ping(): Promise<void> {
    return Promise.resolve();
  }

  serverTime(): Promise<EpochMs> {
    return Promise.resolve(this.#now());
  }

  listings(): Promise<Listings> {
    return Promise.resolve({ listings: [], skipped: [] });
  }

  candles(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    { limit = 100 }: CandleOptions,
  ): Promise<readonly PolledCandle[]> {
    return this.#answer(`candles ${instrumentId} ${interval}`, () => {
      const now = this.#now();
      const candles: PolledCandle[] = [];
      let open = floorToInterval(now, interval);
      if (now - open < this.faults.publishMs) open = floorToInterval(open - 1, interval);
      for (; candles.length < limit; open = floorToInterval(open - 1, interval)) {
        if (this.faults.missing.has(open)) {
          if (limit - candles.length <= 1) break;
          continue;
        }
        candles.unshift({
          ...candleAt(open, { instrumentId, interval }),
          closed: closeTimeOf(open, interval) <= now,
        });
      }
      return this.faults.mangle(candles);
    });
  }

  ticker(instrumentId: InstrumentId): Promise<Ticker> {
    return this.#answer(`ticker ${instrumentId}`, () => ({
      instrumentId,
      time: this.#now(),
      last: parseFixed(String(this.#now())),
      high: 1n,
      low: 1n,
      volume: 1n,
      open: undefined,
      bestBid: undefined,
      bestAsk: undefined,
      change: undefined,
    }));
  }

  depth(instrumentId: InstrumentId): Promise<DepthSnapshot> {
    return this.#answer(`depth ${instrumentId}`, () => ({
      instrumentId,
      time: undefined,
      bids: [],
      asks: [],
    }));
  }

  trades(instrumentId: InstrumentId): Promise<readonly PublicTrade[]> {
    return this.#answer(`trades ${instrumentId}`, () => this.prints);
  }

  markPrice(instrumentId: InstrumentId): Promise<ContractIndex> {
    return this.#answer(`mark ${instrumentId}`, () => ({
      instrumentId,
      markPrice: 1n,
      indexPrice: 1n,
      fundingRate: undefined,
      nextFundingRate: undefined,
      time: this.#now(),
    }));
  }

  #now(): EpochMs {
    return this.#time.now() + this.faults.skewMs;
  }

  async #answer<T>(what: string, read: () => T): Promise<T> {
    this.calls.push({ at: this.#time.now(), what });
    const atOnce = (this.#onTheWay.get(what) ?? 0) + 1;
    this.#onTheWay.set(what, atOnce);
    this.mostAtOnce = Math.max(this.mostAtOnce, atOnce);
    const { slowMs } = this.faults;
    if (slowMs > 0) await new Promise<void>((resolve) => void this.#time.after(slowMs, resolve));
    this.#onTheWay.set(what, (this.#onTheWay.get(what) ?? 1) - 1);
    if (this.faults.failures > 0) {
      this.faults.failures -= 1;
      throw new TransportError('E_TIMEOUT', 'expected an answer');
    }
    return read();
  }
}

/** The candle of an open time. Its prices encode the time. */
export function candleAt(
  openTime: EpochMs,
  series: { readonly instrumentId: InstrumentId; readonly interval: VenueInterval } = {
    instrumentId: BTC,
    interval: '1min',
  },
): Candle {
  const price = 100 + ((openTime / nominalIntervalMs(series.interval)) % 50);
  return {
    ...series,
    openTime,
    closeTime: closeTimeOf(openTime, series.interval),
    open: price,
    high: price + 1,
    low: price - 1,
    close: price + 0.5,
    volume: 2,
  };
}
