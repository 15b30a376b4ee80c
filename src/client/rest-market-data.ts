import {
  createInstrumentId,
  splitInstrumentId,
  type Clock,
  type EpochMs,
  type InstrumentId,
  type ProductKind,
  type VenueInterval,
} from '../domain/index.js';
import {
  INTERFACE_CAPABILITIES,
  requireInstrument,
  type CallOptions,
  type CandleOptions,
  type DepthSnapshot,
  type LimitOptions,
  type Listings,
  type MarketDataCapabilities,
  type MarketDataSource,
  type ContractIndex,
  type PolledCandle,
  type PublicTrade,
  type Ticker,
} from '../venue/index.js';
import {
  decodeContracts,
  decodeDepth,
  decodeFuturesTicker,
  decodeIndex,
  decodeKlines,
  decodeSpotTicker,
  decodeSymbols,
  decodeTrades,
  encodeSpotInterval,
  ENDPOINTS,
} from '../venue/wire/index.js';
import { hostOf, productOf } from './product-of.js';
import type { VenueClient } from './venue-client.js';

/** Market data of the live venue, one request per call. */
export class RestMarketData implements MarketDataSource {
  readonly capabilities: MarketDataCapabilities;
  readonly #client: VenueClient;
  readonly #marketClock: Clock | undefined;

  /**
   * `klinesHaveStartTime` adds start and end to requests of klines, for deployments that honor them. `marketClock` decides which candles have ended,
   * if the server's clock does not show it: for an exchange in lockstep.
   */
  constructor(
    client: VenueClient,
    capabilities: MarketDataCapabilities = INTERFACE_CAPABILITIES.marketData,
    marketClock?: Clock,
  ) {
    this.#client = client;
    this.#marketClock = marketClock;
    this.capabilities = capabilities;
  }

  async ping(product: ProductKind, options: CallOptions): Promise<void> {
    const endpoint = product === 'futures' ? ENDPOINTS['futures.ping'] : ENDPOINTS['spot.ping'];
    await this.#client.call(endpoint, {}, options);
  }

  async serverTime(product: ProductKind, options: CallOptions): Promise<EpochMs> {
    const endpoint = product === 'futures' ? ENDPOINTS['futures.time'] : ENDPOINTS['spot.time'];
    return (await this.#client.call(endpoint, {}, options)).serverTime;
  }

  async listings(product: ProductKind, options: CallOptions): Promise<Listings> {
    if (product === 'futures') {
      return decodeContracts(await this.#client.call(ENDPOINTS['futures.contracts'], {}, options));
    }
    return decodeSymbols(await this.#client.call(ENDPOINTS['spot.symbols'], {}, options));
  }

  async candles(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    { limit, from, to, ...options }: CandleOptions,
  ): Promise<readonly PolledCandle[]> {
    const { kind, symbol } = splitInstrumentId(instrumentId);
    const span = this.capabilities.klinesHaveStartTime ? spanOf(from, to) : {};
    // Before the call, which may wait: a candle that ends meanwhile may have come as it was before its end. Either clock may be ahead of the market.
    const now =
      this.#marketClock?.now() ?? (await this.#client.passedTime(hostOf(kind), options.signal));
    const klines =
      kind === 'futures'
        ? await this.#client.call(
            ENDPOINTS['futures.klines'],
            { contractName: symbol, interval, limit, ...span },
            options,
          )
        : await this.#client.call(
            ENDPOINTS['spot.klines'],
            { symbol, interval: encodeSpotInterval(interval), limit, ...span },
            options,
          );
    return decodeKlines(klines, { instrumentId, interval, now });
  }

  async ticker(instrumentId: InstrumentId, options: CallOptions): Promise<Ticker> {
    const { kind, symbol } = splitInstrumentId(instrumentId);
    if (kind === 'futures') {
      const endpoint = ENDPOINTS['futures.ticker'];
      const answer = await this.#client.call(endpoint, { contractName: symbol }, options);
      return decodeFuturesTicker(answer, instrumentId);
    }
    const answer = await this.#client.call(ENDPOINTS['spot.ticker'], { symbol }, options);
    return decodeSpotTicker(answer, instrumentId);
  }

  async depth(
    instrumentId: InstrumentId,
    { limit, ...options }: LimitOptions,
  ): Promise<DepthSnapshot> {
    const { kind, symbol } = splitInstrumentId(instrumentId);
    const answer =
      kind === 'futures'
        ? await this.#client.call(
            ENDPOINTS['futures.depth'],
            { contractName: symbol, limit },
            options,
          )
        : await this.#client.call(ENDPOINTS['spot.depth'], { symbol, limit }, options);
    return decodeDepth(answer, instrumentId);
  }

  async trades(
    instrumentId: InstrumentId,
    { limit, ...options }: LimitOptions,
  ): Promise<readonly PublicTrade[]> {
    const { symbol } = productOf(instrumentId, ['spot', 'margin']);
    const answer = await this.#client.call(ENDPOINTS['spot.trades'], { symbol, limit }, options);
    return decodeTrades(answer, instrumentId);
  }

  async markPrice(instrumentId: InstrumentId, options: CallOptions): Promise<ContractIndex> {
    const { symbol } = productOf(instrumentId, ['futures']);
    const endpoint = ENDPOINTS['futures.index'];
    const answer = await this.#client.call(endpoint, { contractName: symbol }, options);
    const { contractName = symbol } = answer;
    const answered = createInstrumentId('futures', contractName);
    requireInstrument(endpoint, instrumentId, [{ instrumentId: answered }]);
    return decodeIndex(answer, instrumentId);
  }
}

/** `to` is exclusive here; on the wire it is the last open time. */
function spanOf(
  from: EpochMs | undefined,
  to: EpochMs | undefined,
): { readonly startTime: number | undefined; readonly endTime: number | undefined } {
  return { startTime: from, endTime: to === undefined ? undefined : to - 1 };
}
