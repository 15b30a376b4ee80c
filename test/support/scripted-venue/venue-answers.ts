import {
  createInstrumentId,
  floorToInterval,
  parseFixed,
  type Candle,
  type InstrumentId,
  type VenueInterval,
} from '../../../src/domain/index.js';
import type { FuturesListing, SpotListing, VenuePosition } from '../../../src/venue/index.js';
import {
  decodeBatchEntry,
  decodeConditionRequest,
  decodeFuturesOrderRequest,
  decodeSpotInterval,
  decodeSpotOrderRequest,
  encodeBatchCanceled,
  encodeBatchIds,
  encodeCanceledOrder,
  encodeCondition,
  encodeContracts,
  encodeCreatedOrder,
  encodeDepth,
  encodeFuturesAccount,
  encodeFuturesOpenOrders,
  encodeFuturesOrder,
  encodeFuturesOrderId,
  encodeFuturesTicker,
  encodeFuturesTrade,
  encodeHistoryOrder,
  encodeIndex,
  encodeKlines,
  encodeList,
  encodeProfit,
  encodeSpotAccount,
  encodeSpotOrder,
  encodeSpotTicker,
  encodeSpotTrade,
  encodeSymbols,
  encodeTrades,
  encodeVenueError,
  type AnswerProfile,
  type CheckedRequestOf,
  type EndpointId,
  type ENDPOINTS,
  type JsonOutput,
} from '../../../src/venue/wire/index.js';
import { ASK, BID, LAST, MULTIPLIER, type Refused, type VenueBook } from './venue-book.js';

export const SPOT = createInstrumentId('spot', 'BTCUSDT');
export const MARGIN = createInstrumentId('margin', 'BTCUSDT');
export const FUTURES = createInstrumentId('futures', 'E-BTC-USDT');

const SPOT_LISTING: SpotListing = {
  kind: 'spot',
  instrumentId: SPOT,
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  rules: { tradable: true, pricePrecision: 2, quantityPrecision: 5 },
};
const FUTURES_LISTING: FuturesListing = {
  kind: 'futures',
  instrumentId: FUTURES,
  symbol: 'E-BTC-USDT',
  base: 'BTC',
  quote: 'USDT',
  contract: 'linear',
  contractType: 'E',
  multiplier: MULTIPLIER,
  multiplierAsset: 'BTC',
  marginAsset: 'USDT',
  maxLimitMoney: undefined,
  contractId: '1',
  rules: { tradable: true, pricePrecision: 1, quantityPrecision: 0 },
};

type Handlers = {
  readonly [Id in EndpointId]: (request: CheckedRequestOf<(typeof ENDPOINTS)[Id]>) => JsonOutput;
};

/** The scripted venue's answers to all calls. */
export function answersOf(book: VenueBook, now: () => number, profile: AnswerProfile): Handlers {
  const refuse = (refused: Refused): JsonOutput => encodeVenueError(refused, profile);
  const ticker = (instrumentId: InstrumentId) => ({
    instrumentId,
    time: now(),
    last: LAST,
    high: parseFixed('66000'),
    low: parseFixed('64000'),
    volume: parseFixed('1234.5'),
    open: parseFixed('64500'),
    bestBid: BID,
    bestAsk: ASK,
    change: undefined,
  });
  const depth = (instrumentId: InstrumentId, limit: number): JsonOutput => {
    const levels = (from: bigint, step: string) =>
      Array.from({ length: Math.min(limit, 5) }, (_, index) => ({
        price: from + BigInt(index) * parseFixed(step),
        quantity: parseFixed('1.5'),
      }));
    return encodeDepth(
      { instrumentId, time: now(), bids: levels(BID, '-0.1'), asks: levels(ASK, '0.1') },
      profile,
    );
  };
  const time = (): JsonOutput => ({ timezone: 'GMT', serverTime: now() });
  const spotPlace = (
    request: CheckedRequestOf<(typeof ENDPOINTS)['spot.order']>,
    kind: 'spot' | 'margin',
  ): JsonOutput => {
    const placed = book.place(decodeSpotOrderRequest(request, kind));
    return 'code' in placed ? refuse(placed) : encodeCreatedOrder(placed, profile);
  };
  const spotOrder = (id: string): JsonOutput => {
    const order = book.find(id);
    return order === undefined
      ? refuse({ code: '-2013', message: 'none' })
      : encodeSpotOrder(order, profile);
  };
  const spotCancel = (id: string): JsonOutput => {
    const canceled = book.cancel(id);
    return 'code' in canceled ? refuse(canceled) : encodeCanceledOrder(canceled, profile);
  };
  const spotWorking = (instrumentId: InstrumentId): JsonOutput =>
    encodeList(
      book.working(instrumentId).map((order) => encodeSpotOrder(order, profile)),
      profile,
    );
  const spotTrades = (instrumentId: InstrumentId, page: Page): JsonOutput =>
    encodeList(
      pageOf(
        book.trades.filter((trade) => trade.instrumentId === instrumentId),
        (trade) => trade.venueTradeId,
        page,
      ).map((trade) => encodeSpotTrade(trade, profile)),
      profile,
    );
  return {
    'spot.ping': () => ({}),
    'spot.time': time,
    'spot.symbols': () => encodeSymbols([SPOT_LISTING], profile),
    'spot.depth': ({ limit }) => depth(SPOT, limit),
    'spot.ticker': ({ symbol }) =>
      symbol === 'BTCUSDT'
        ? encodeSpotTicker(ticker(SPOT), profile)
        : refuse({ code: '-1121', message: 'symbol' }),
    'spot.trades': ({ limit }) =>
      encodeTrades(
        Array.from({ length: Math.min(limit, 8) }, (_, index) => ({
          instrumentId: SPOT,
          time: now() - index,
          price: LAST,
          quantity: parseFixed('0.01'),
          takerSide: 'buy',
        })),
        profile,
      ),
    'spot.klines': ({ interval, limit }) =>
      encodeKlines(candlesUpTo(now(), SPOT, decodeSpotInterval(interval), limit), profile),
    'spot.order': (request) => spotPlace(request, 'spot'),
    'spot.orderTest': (request) => {
      const problem = book.problemOf(decodeSpotOrderRequest(request, 'spot'));
      return problem === undefined ? {} : refuse(problem);
    },
    'spot.batchOrders': ({ symbol, orders }) => {
      const placed = orders.map((entry) => book.place(decodeBatchEntry(entry, symbol)));
      const ids = placed.flatMap((order) => ('code' in order ? [] : [order.venueOrderId]));
      return encodeBatchIds(ids, profile);
    },
    'spot.queryOrder': ({ orderId }) => spotOrder(orderId),
    'spot.cancel': ({ orderId }) => spotCancel(orderId),
    'spot.batchCancel': ({ orderIds }) => {
      const isTaken = (id: string): boolean => !('code' in book.cancel(id));
      const success = orderIds.filter(isTaken);
      const failed = orderIds.filter((id) => !success.includes(id));
      return encodeBatchCanceled(
        { success: success as never[], failed: failed as never[] },
        profile,
      );
    },
    'spot.openOrders': () => spotWorking(SPOT),
    'spot.myTrades': (request) => spotTrades(SPOT, request),
    'spot.account': () => encodeSpotAccount({ kind: 'spot', balances: book.balances() }, profile),
    'futures.ping': () => ({}),
    'futures.time': time,
    'futures.contracts': () => encodeContracts([FUTURES_LISTING], profile),
    'futures.depth': ({ limit }) => depth(FUTURES, limit),
    'futures.ticker': () => encodeFuturesTicker(ticker(FUTURES), profile),
    'futures.index': () =>
      encodeIndex(
        {
          instrumentId: FUTURES,
          markPrice: LAST,
          indexPrice: LAST,
          fundingRate: parseFixed('0.0001'),
          nextFundingRate: undefined,
          time: now(),
        },
        profile,
      ),
    'futures.klines': ({ interval, limit }) =>
      encodeKlines(candlesUpTo(now(), FUTURES, interval, limit), profile),
    'futures.order': (request) => {
      const placed = book.place(decodeFuturesOrderRequest(request));
      return 'code' in placed ? refuse(placed) : encodeFuturesOrderId(placed.venueOrderId, profile);
    },
    'futures.conditionOrder': (request) =>
      encodeCondition(`7${decodeConditionRequest(request).triggerPrice.toString().slice(0, 12)}`),
    'futures.cancel': ({ orderId }) => {
      const canceled = book.cancel(orderId);
      return 'code' in canceled
        ? refuse(canceled)
        : encodeFuturesOrderId(canceled.venueOrderId, profile);
    },
    'futures.queryOrder': ({ orderId }) => {
      const order = book.find(orderId);
      return order === undefined
        ? refuse({ code: '-2013', message: 'none' })
        : encodeFuturesOrder(order, 'detail', profile);
    },
    'futures.openOrders': () => encodeFuturesOpenOrders(book.working(FUTURES), profile),
    'futures.orderHistorical': (request) =>
      pageOf(
        book.orders.filter(({ instrumentId }) => instrumentId === FUTURES),
        (order) => order.venueOrderId,
        request,
      ).map((order) => encodeHistoryOrder(order, profile)),
    'futures.profitHistorical': (request) =>
      pageOf(book.profits, (profit) => profit.id, request).map((profit) =>
        encodeProfit(profit, profile),
      ),
    'futures.myTrades': (request) =>
      pageOf(
        book.trades.filter(({ instrumentId }) => instrumentId === FUTURES),
        (trade) => trade.venueTradeId,
        request,
      ).map((trade) => encodeFuturesTrade(trade, profile)),
    'futures.account': () =>
      encodeFuturesAccount(
        {
          kind: 'futures',
          accounts: [
            { ...EMPTY_ACCOUNT, positions: book.held === 0n ? [] : [aPosition(book.held)] },
          ],
        },
        profile,
      ),
    'margin.order': (request) => spotPlace(request, 'margin'),
    'margin.queryOrder': ({ orderId }) => spotOrder(orderId),
    'margin.cancel': ({ orderId }) => spotCancel(orderId),
    'margin.openOrders': () => spotWorking(MARGIN),
    'margin.myTrades': (request) => spotTrades(MARGIN, request),
  };
}

interface Page {
  readonly fromId?: string | undefined;
  readonly limit: number | string;
}

/** The next rows from an id on, newest first, as documents of the interface show them. */
function pageOf<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  { fromId = '0', limit }: Page,
): readonly T[] {
  return rows
    .filter((row) => BigInt(idOf(row)) >= BigInt(fromId))
    .slice(0, Number(limit))
    .toReversed();
}

function candlesUpTo(
  now: number,
  instrumentId: InstrumentId,
  interval: VenueInterval,
  limit: number,
): readonly Candle[] {
  const candles: Candle[] = [];
  let closeTime = now + 1;
  while (candles.length < limit) {
    const openTime = floorToInterval(closeTime - 1, interval);
    candles.push({
      instrumentId,
      interval,
      openTime,
      closeTime,
      open: 64_900,
      high: 65_100.5,
      low: 64_800,
      close: 65_000,
      volume: 12.5,
    });
    closeTime = openTime;
  }
  return candles;
}

const EMPTY_ACCOUNT = {
  marginAsset: 'USDT',
  available: parseFixed('10000'),
  locked: 0n,
  isolatedMargin: 0n,
  crossMargin: 0n,
  realizedProfit: 0n,
  unrealizedProfit: 0n,
  crossEquity: 0n,
  isolatedEquity: 0n,
  crossMarginRate: undefined,
  crossCost: undefined,
  accountMarginRate: undefined,
} as const;

function aPosition(quantity: bigint): VenuePosition {
  return {
    instrumentId: FUTURES,
    positionId: '1',
    direction: 'long',
    marginMode: 'isolated',
    quantity,
    pendingCloseQuantity: 0n,
    closedQuantity: 0n,
    openPrice: ASK,
    averagePrice: ASK,
    averageClosePrice: undefined,
    markPrice: LAST,
    leverage: parseFixed('5'),
    margin: parseFixed('13'),
    realizedProfit: 0n,
    totalRealizedProfit: 0n,
    unrealizedProfit: 0n,
    unrealizedOpenProfit: undefined,
    closeProfit: 0n,
    sharedAmount: undefined,
    tradeFee: 0n,
    fundingFee: 0n,
    value: parseFixed('65'),
    marginRate: undefined,
    returnRate: undefined,
    maintenanceRate: parseFixed('0.005'),
    maxFeeRate: undefined,
    liquidationPrice: undefined,
    frozen: 'no',
    isValid: true,
    createdTime: undefined,
    updatedTime: undefined,
    frozenTime: undefined,
    contractId: '1',
    userId: undefined,
    brokerId: undefined,
  };
}
