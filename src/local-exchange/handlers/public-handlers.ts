import { createInstrumentId, type InstrumentId, type VenueInterval } from '../../domain/index.js';
import {
  decodeSpotInterval,
  encodeContracts,
  encodeDepth,
  encodeFuturesTicker,
  encodeIndex,
  encodeServerTime,
  encodeSpotTicker,
  encodeSymbols,
  encodeTrades,
} from '../../venue/wire/index.js';
import { refuse } from '../refusal.js';
import type { Answer, Handlers, PublicCall } from './handler.js';
import { klineText } from './kline-text.js';

export type PublicId =
  | `spot.${'ping' | 'time' | 'symbols' | 'depth' | 'ticker' | 'trades' | 'klines'}`
  | `futures.${'ping' | 'time' | 'contracts' | 'depth' | 'ticker' | 'index' | 'klines'}`;

interface KlineRequest {
  readonly limit: number;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Answers the calls that need no key. */
export const PUBLIC_HANDLERS: Handlers<PublicId, PublicCall> = {
  'spot.ping': () => ({}),
  'spot.time': (_request, { serverTime }) => encodeServerTime(serverTime),
  'spot.symbols': (_request, { market, time, profile }) =>
    encodeSymbols(market.spotListings(time), profile),
  'spot.depth': ({ symbol, limit }, call) => depth(spotId(symbol), limit, call),
  'spot.ticker': ({ symbol }, { market, time, profile }) =>
    orNone(spotId(symbol), market.ticker(spotId(symbol), time), (ticker) =>
      encodeSpotTicker(ticker, profile),
    ),
  'spot.trades': ({ symbol, limit }, { market, time, profile }) =>
    orNone(spotId(symbol), market.trades(spotId(symbol), time, limit), (trades) =>
      encodeTrades(trades, profile),
    ),
  'spot.klines': ({ symbol, interval, ...request }, call) =>
    klines(spotId(symbol), decodeSpotInterval(interval), request, call),
  'futures.ping': () => ({}),
  'futures.time': (_request, { serverTime }) => encodeServerTime(serverTime),
  'futures.contracts': (_request, { market, time, profile }) =>
    encodeContracts(market.futuresListings(time), profile),
  'futures.depth': ({ contractName, limit }, call) => depth(futuresId(contractName), limit, call),
  'futures.ticker': ({ contractName }, { market, time, profile }) =>
    orNone(futuresId(contractName), market.ticker(futuresId(contractName), time), (ticker) =>
      encodeFuturesTicker(ticker, profile),
    ),
  'futures.index': ({ contractName }, { market, time, profile }) =>
    orNone(futuresId(contractName), market.mark(futuresId(contractName), time), (mark) =>
      encodeIndex(mark, profile),
    ),
  'futures.klines': ({ contractName, interval, ...request }, call) =>
    klines(futuresId(contractName), interval, request, call),
};

/** Accepts names in either letter case. */
function spotId(symbol: string): InstrumentId {
  return createInstrumentId('spot', symbol.toUpperCase());
}

function futuresId(contractName: string): InstrumentId {
  return createInstrumentId('futures', contractName.toUpperCase());
}

function depth(
  instrumentId: InstrumentId,
  levels: number,
  { market, time, profile, volumeLeft }: PublicCall,
): Answer {
  if (!market.isListed(instrumentId)) return notListed(instrumentId);
  const query = { levels, volumeLeft: volumeLeft(instrumentId) };
  return orNone(instrumentId, market.depth(instrumentId, time, query), (book) =>
    encodeDepth(book, profile),
  );
}

function klines(
  instrumentId: InstrumentId,
  interval: VenueInterval,
  { limit, startTime, endTime }: KlineRequest,
  { market, time, profile }: PublicCall,
): Answer {
  const query = { limit, startTime, endTime };
  const parts = market.candleParts(instrumentId, interval, time, query);
  return orNone(instrumentId, parts, (found) => ({
    kind: 'written',
    json: klineText(found, profile),
  }));
}

function orNone<T>(
  instrumentId: InstrumentId,
  found: T | undefined,
  encode: (found: T) => Answer,
): Answer {
  return found === undefined ? notListed(instrumentId) : encode(found);
}

function notListed(instrumentId: InstrumentId): Answer {
  return refuse('-1121', `${instrumentId} is not listed, or has not traded yet`);
}
