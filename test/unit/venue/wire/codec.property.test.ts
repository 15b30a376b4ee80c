import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrumentId } from '../../../../src/domain/index.js';
import type { FuturesAccountSnapshot, VenueOrder } from '../../../../src/venue/index.js';
import {
  ANSWER_PROFILES,
  decodeCanceledOrder,
  decodeContracts,
  decodeCreatedOrder,
  decodeDepth,
  decodeFuturesAccount,
  decodeFuturesOrder,
  decodeFuturesTicker,
  decodeFuturesTrade,
  decodeHistoryOrder,
  decodeIndex,
  decodeKlines,
  decodeProfit,
  decodeSpotAccount,
  decodeSpotOrder,
  decodeSpotTicker,
  decodeSpotTrade,
  decodeSymbols,
  decodeTrades,
  encodeCanceledOrder,
  encodeContracts,
  encodeCreatedOrder,
  encodeDepth,
  encodeFuturesAccount,
  encodeFuturesOpenOrders,
  encodeFuturesOrder,
  encodeFuturesTicker,
  encodeFuturesTrade,
  encodeHistoryOrder,
  encodeIndex,
  encodeKlines,
  encodeList,
  encodeProfit,
  encodeServerTime,
  encodeSpotAccount,
  encodeSpotOrder,
  encodeSpotTicker,
  encodeSpotTrade,
  encodeSymbols,
  encodeTrades,
  ENDPOINTS,
  formatJson,
  parseAnswer,
  parseJson,
  type AnswerOf,
  type AnswerProfile,
  type AnyEndpoint,
  type JsonOutput,
} from '../../../../src/venue/wire/index.js';
import {
  depths,
  FAMILY_STATUSES,
  futuresAccounts,
  futuresListings,
  INTERFACE_STATUSES,
  markPrices,
  polledCandles,
  profitRecords,
  publicTrades,
  spotAccounts,
  spotListings,
  tickers,
  times,
  venueOrders,
  venueTrades,
} from '../../../support/arbitraries/venue.js';
import { RECORDS } from '../../../support/venue/interface-tables.js';

const SPOT = createInstrumentId('spot', 'BTCUSDT');
const FUTURES = createInstrumentId('futures', 'E-BTC-USDT');
const NOW = 1_760_000_000_123;

/** One round trip: encode and decode. */
interface RoundTrip<E extends AnyEndpoint, T> {
  readonly endpoint: E;
  readonly values: fc.Arbitrary<T>;
  readonly encode: (value: T, profile: AnswerProfile) => JsonOutput;
  readonly decode: (answer: AnswerOf<E>) => unknown;
  /** The part of a value that the profile carries. @defaultValue all of it */
  readonly carried?: (value: T, profile: AnswerProfile) => unknown;
  /** The record of the specification. Every written row must have exactly its fields. */
  readonly record?: keyof typeof RECORDS;
}

/** Registers the law: a value that is written, parsed and decoded is the same value. */
function describeRoundTrip<E extends AnyEndpoint, T>(trip: RoundTrip<E, T>): void {
  const { endpoint, values, encode, decode, record } = trip;
  const carried = trip.carried ?? ((value: T): unknown => value);
  describe(endpoint.id, () => {
    it.each(ANSWER_PROFILES)('reads back an encoded value in the profile %s', (profile) => {
      fc.assert(
        fc.property(values, (value) => {
          const text = formatJson(encode(value, profile));

          expect(decode(parseAnswer(endpoint, parseJson(text)))).toEqual(carried(value, profile));
        }),
      );
    });

    if (record !== undefined) {
      it('writes exactly the fields of the specification', () => {
        fc.assert(
          fc.property(values, (value) => {
            const written = JSON.parse(formatJson(encode(value, 'interface'))) as unknown;

            for (const row of Array.isArray(written) ? written : [written]) {
              expect(Object.keys(row as object).toSorted()).toEqual(
                RECORDS[record].map(([name]) => name).toSorted(),
              );
            }
          }),
        );
      });
    }
  });
}

for (const endpoint of [ENDPOINTS['spot.time'], ENDPOINTS['futures.time']] as const) {
  describeRoundTrip({
    endpoint,
    values: times(),
    encode: encodeServerTime,
    decode: ({ serverTime }) => serverTime,
    record: 'serverTime',
  });
}

describeRoundTrip({
  endpoint: ENDPOINTS['spot.symbols'],
  values: fc.array(spotListings(), { minLength: 1, maxLength: 3 }),
  encode: encodeSymbols,
  decode: decodeSymbols,
  carried: (listings, profile) => ({
    listings: listings.map(({ rules, ...listing }) => {
      const { tradable, pricePrecision, quantityPrecision } = rules;
      const listed = { tradable, pricePrecision, quantityPrecision };
      return { ...listing, rules: profile === 'family' ? rules : listed };
    }),
    skipped: [],
  }),
  record: 'symbol',
});

for (const endpoint of [ENDPOINTS['spot.klines'], ENDPOINTS['futures.klines']] as const) {
  const context = { instrumentId: SPOT, interval: '1h', now: NOW } as const;
  describeRoundTrip({
    endpoint,
    values: polledCandles(SPOT, '1h', NOW),
    encode: encodeKlines,
    decode: (answer) => decodeKlines(answer, context),
    record: 'candlestick',
  });
}

for (const endpoint of [ENDPOINTS['spot.depth'], ENDPOINTS['futures.depth']] as const) {
  describeRoundTrip({
    endpoint,
    values: depths(SPOT),
    encode: encodeDepth,
    decode: (answer) => decodeDepth(answer, SPOT),
    record: 'orderBook',
  });
}

describeRoundTrip({
  endpoint: ENDPOINTS['spot.ticker'],
  values: tickers(SPOT).filter(({ open }) => open !== undefined),
  encode: encodeSpotTicker,
  decode: (answer) => decodeSpotTicker(answer, SPOT),
  carried: (ticker, profile) =>
    profile === 'family' ? ticker : { ...ticker, bestBid: undefined, bestAsk: undefined },
  record: 'spotTicker',
});

describeRoundTrip({
  endpoint: ENDPOINTS['spot.trades'],
  values: fc
    .uniqueArray(publicTrades(SPOT), { selector: ({ time }) => time, maxLength: 10 })
    .map((trades) => trades.toSorted((a, b) => a.time - b.time)),
  encode: encodeTrades,
  decode: (answer) => decodeTrades(answer, SPOT),
  record: 'recentTrade',
});

describeRoundTrip({
  endpoint: ENDPOINTS['futures.contracts'],
  values: fc.array(futuresListings(), { minLength: 1, maxLength: 3 }),
  encode: encodeContracts,
  decode: decodeContracts,
  carried: (listings, profile) => ({
    listings:
      profile === 'family'
        ? listings
        : listings.map((listing) => ({
            ...listing,
            maxLimitMoney: undefined,
            contractId: undefined,
          })),
    skipped: [],
  }),
  record: 'contract',
});

describeRoundTrip({
  endpoint: ENDPOINTS['futures.ticker'],
  values: tickers(FUTURES),
  encode: encodeFuturesTicker,
  decode: (answer) => decodeFuturesTicker(answer, FUTURES),
  carried: (ticker, profile) => ({
    ...ticker,
    open: undefined,
    change: undefined,
    ...(profile === 'family' ? {} : { bestBid: undefined, bestAsk: undefined }),
  }),
  record: 'futuresTicker',
});

describeRoundTrip({
  endpoint: ENDPOINTS['futures.index'],
  values: markPrices(FUTURES),
  encode: encodeIndex,
  decode: (answer) => decodeIndex(answer, FUTURES),
  carried: (mark, profile) =>
    profile === 'family' ? mark : { ...mark, nextFundingRate: undefined, time: undefined },
  record: 'index',
});

describeRoundTrip({
  endpoint: ENDPOINTS['spot.order'],
  values: venueOrders('spot').filter(({ status }) => status !== 'rejected'),
  encode: encodeCreatedOrder,
  decode: decodeCreatedOrder,
  carried: ({ venueOrderId, status, filledQuantity }, profile) => ({
    kind: 'accepted',
    venueOrderId,
    status: spoken(status, profile),
    filledQuantity,
  }),
  record: 'createdOrder',
});

describeRoundTrip({
  endpoint: ENDPOINTS['spot.cancel'],
  values: venueOrders('spot'),
  encode: encodeCanceledOrder,
  decode: decodeCanceledOrder,
  carried: ({ status }, profile) => ({ kind: 'requested', status: spoken(status, profile) }),
  record: 'canceledOrder',
});

for (const [endpoint, kind] of [
  [ENDPOINTS['spot.openOrders'], 'spot'],
  [ENDPOINTS['margin.openOrders'], 'margin'],
] as const) {
  describeRoundTrip({
    endpoint,
    values: fc.array(venueOrders(kind), { maxLength: 3 }),
    encode: (orders, profile) =>
      encodeList(
        orders.map((order) => encodeSpotOrder(order, profile)),
        profile,
      ),
    decode: (answer) => answer.map((order) => decodeSpotOrder(order, kind)),
    carried: (orders, profile) =>
      orders.map((order) => ({
        ...order,
        status: spoken(order.status, profile),
        createdTime: profile === 'family' ? order.createdTime : undefined,
      })),
    record: 'spotOrder',
  });
}

describeRoundTrip({
  endpoint: ENDPOINTS['spot.myTrades'],
  values: fc.array(venueTrades('spot'), { maxLength: 3 }),
  encode: (trades, profile) =>
    encodeList(
      trades.map((trade) => encodeSpotTrade(trade, profile)),
      profile,
    ),
  decode: (answer) => answer.map((trade) => decodeSpotTrade(trade, 'spot')),
  carried: (trades, profile) =>
    profile === 'family'
      ? trades
      : trades.map((trade) => ({ ...trade, buyUserId: undefined, sellUserId: undefined })),
  record: 'spotOwnTrade',
});

describeRoundTrip({
  endpoint: ENDPOINTS['spot.account'],
  values: spotAccounts(),
  encode: encodeSpotAccount,
  decode: decodeSpotAccount,
  record: 'spotAccount',
});

describeRoundTrip({
  endpoint: ENDPOINTS['futures.queryOrder'],
  values: venueOrders('futures'),
  encode: (order, profile) => encodeFuturesOrder(order, 'detail', profile),
  decode: decodeFuturesOrder,
  carried: (order, profile) => ({
    ...queried(order, profile),
    // The order detail of the interface has no type. A price shows it.
    ...(profile === 'family' ? {} : { type: undefined }),
  }),
  record: 'futuresOrder',
});

describeRoundTrip({
  endpoint: ENDPOINTS['futures.openOrders'],
  values: fc.array(venueOrders('futures'), { maxLength: 3 }),
  encode: encodeFuturesOpenOrders,
  decode: (answer) => answer.map(decodeFuturesOrder),
  carried: (orders, profile) => orders.map((order) => queried(order, profile)),
  record: 'futuresOpenOrder',
});

describeRoundTrip({
  endpoint: ENDPOINTS['futures.orderHistorical'],
  values: venueOrders('futures').filter(({ status }) => status !== 'rejected'),
  encode: (order, profile) => [encodeHistoryOrder(order, profile)],
  decode: (answer) => answer.map((order) => decodeHistoryOrder(order)),
  carried: (order) => [order],
});

describeRoundTrip({
  endpoint: ENDPOINTS['futures.profitHistorical'],
  values: profitRecords(),
  encode: (profit, profile) => [encodeProfit(profit, profile)],
  decode: (answer) => answer.map((profit) => decodeProfit(profit)),
  carried: (profit) => [profit],
});

describeRoundTrip({
  endpoint: ENDPOINTS['futures.myTrades'],
  values: fc.array(venueTrades('futures'), { maxLength: 3 }),
  encode: (trades, profile) => trades.map((trade) => encodeFuturesTrade(trade, profile)),
  decode: (answer) => answer.map(decodeFuturesTrade),
  record: 'futuresOwnTrade',
});

describeRoundTrip({
  endpoint: ENDPOINTS['futures.account'],
  values: futuresAccounts(),
  encode: encodeFuturesAccount,
  decode: decodeFuturesAccount,
  carried: withoutLocalTimes,
  record: 'futuresAccount',
});

describe('decodeFuturesAccount', () => {
  it('reads times that name their zone', () => {
    fc.assert(
      fc.property(futuresAccounts(), (snapshot) => {
        const local = formatJson(encodeFuturesAccount(snapshot, 'interface'));
        const text = local.replaceAll(/("(?:ctime|mtime|lockTime)":"[^"]*)"/g, '$1Z"');

        const answer = parseAnswer(ENDPOINTS['futures.account'], parseJson(text));
        expect(decodeFuturesAccount(answer)).toEqual(snapshot);
      }),
    );
  });
});

/** Times are written without a zone, so they are no instants for who reads them. */
function withoutLocalTimes(snapshot: FuturesAccountSnapshot): FuturesAccountSnapshot {
  const noTimes = { createdTime: undefined, updatedTime: undefined, frozenTime: undefined };
  return {
    ...snapshot,
    accounts: snapshot.accounts.map((account) => ({
      ...account,
      positions: account.positions.map((position) => ({ ...position, ...noTimes })),
    })),
  };
}

/** The status as the profile can express it. */
function spoken(status: VenueOrder['status'], profile: AnswerProfile): VenueOrder['status'] {
  const known: readonly string[] = profile === 'family' ? FAMILY_STATUSES : INTERFACE_STATUSES;
  if (known.includes(status)) return status;
  return status === 'expired' ? 'canceled' : 'partially-filled';
}

/** The part of a futures order that a query carries. */
function queried(order: VenueOrder, profile: AnswerProfile): VenueOrder {
  const isFamily = profile === 'family';
  return {
    ...order,
    status: spoken(order.status, profile),
    clientOrderId: isFamily ? order.clientOrderId : undefined,
    timeInForce: isFamily ? order.timeInForce : undefined,
    filledNotional: undefined,
    marginMode: undefined,
    leverage: undefined,
  };
}
