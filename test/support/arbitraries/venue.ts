import fc from 'fast-check';

import {
  Balance,
  closeTimeOf,
  createInstrumentId,
  divideFixed,
  floorToInterval,
  parseVenueOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderStatus,
  type ProductKind,
  type VenueInterval,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import type {
  DepthSnapshot,
  FuturesAccountSnapshot,
  FuturesListing,
  MarginAssetAccount,
  ContractIndex,
  PolledCandle,
  ProfitRecord,
  PublicTrade,
  SpotAccountSnapshot,
  SpotListing,
  Ticker,
  VenueOrder,
  VenueOrderRequest,
  VenuePosition,
  VenueTrade,
} from '../../../src/venue/index.js';
import { stepped } from './amounts.js';

/** Statuses that have a word in the interface. */
export const INTERFACE_STATUSES = [
  'open',
  'partially-filled',
  'filled',
  'canceled',
  'rejected',
] as const satisfies readonly OrderStatus[];

/** Statuses that have a word in the family's answers. */
export const FAMILY_STATUSES = [
  ...INTERFACE_STATUSES,
  'canceling',
  'expired',
] as const satisfies readonly OrderStatus[];

/** Ids as venues make them: 19 digits, above 2^53. */
export function longIds(): fc.Arbitrary<string> {
  return fc.bigInt(10n ** 18n, 2n ** 63n - 1n).map(String);
}

export function venueOrderIds(): fc.Arbitrary<VenueOrderId> {
  return longIds().map(parseVenueOrderId);
}

/** Times of this century to the second, too large to be taken for seconds. */
export function times(): fc.Arbitrary<EpochMs> {
  return fc.integer({ min: 1_500_000_000, max: 2_000_000_000 }).map((seconds) => seconds * 1_000);
}

/** Above 0, with up to 8 decimals. */
function positive(): fc.Arbitrary<Fixed> {
  return stepped(8, { min: 1n, max: 10n ** 18n });
}

/** 0 or more, with up to 18 decimals. */
function notNegative(): fc.Arbitrary<Fixed> {
  return fc.oneof(stepped(18, { min: 0n, max: 10n ** 24n }), positive());
}

function signed(): fc.Arbitrary<Fixed> {
  return stepped(18, { min: -(10n ** 24n), max: 10n ** 24n });
}

function perhaps<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(values, { nil: undefined });
}

export function instrumentIds(kind: ProductKind): fc.Arbitrary<InstrumentId> {
  const symbols =
    kind === 'futures' ? ['E-BTC-USDT', 'E-ETH-USDT', 'S-ATOM-USD'] : ['BTCUSDT', 'ETHBTC'];
  return fc.constantFrom(...symbols).map((symbol) => createInstrumentId(kind, symbol));
}

function sides(): fc.Arbitrary<'buy' | 'sell'> {
  return fc.constantFrom('buy', 'sell');
}

function clientIds(): fc.Arbitrary<string> {
  return fc.stringMatching(/^ek-[a-z0-9]{1,20}$/);
}

/** Closed candles of distinct times in rising order; the last may be open. */
export function polledCandles(
  instrumentId: InstrumentId,
  interval: VenueInterval,
  now: EpochMs,
): fc.Arbitrary<readonly PolledCandle[]> {
  const cents = fc.integer({ min: 1, max: 10_000_000 }).map((units) => units / 100);
  const row = fc
    .record({ open: cents, high: cents, low: cents, close: cents, volume: cents })
    .map(({ open, high, low, close, volume }) => ({
      ...{ open, close, volume },
      high: Math.max(open, high, low, close),
      low: Math.min(open, high, low, close),
    }));
  return fc.array(row, { maxLength: 30 }).map((rows) => {
    let openTime = floorToInterval(now, interval);
    const newestFirst = rows.map((prices) => {
      const closeTime = closeTimeOf(openTime, interval);
      const candle: PolledCandle = {
        ...prices,
        ...{ instrumentId, interval, openTime, closeTime },
        closed: closeTime <= now,
      };
      openTime = floorToInterval(openTime - 1, interval);
      return candle;
    });
    return newestFirst.reverse();
  });
}

export function depths(instrumentId: InstrumentId): fc.Arbitrary<DepthSnapshot> {
  const levels = fc.uniqueArray(fc.record({ price: positive(), quantity: notNegative() }), {
    selector: ({ price }) => price,
    maxLength: 20,
  });
  return fc.record({ time: perhaps(times()), bids: levels, asks: levels }).map((depth) => ({
    instrumentId,
    time: depth.time,
    bids: depth.bids.toSorted((a, b) => Number(b.price - a.price)),
    asks: depth.asks.toSorted((a, b) => Number(a.price - b.price)),
  }));
}

export function tickers(instrumentId: InstrumentId): fc.Arbitrary<Ticker> {
  return fc
    .record({
      time: times(),
      last: positive(),
      high: positive(),
      low: positive(),
      volume: notNegative(),
      open: perhaps(positive()),
      bestBid: perhaps(positive()),
      bestAsk: perhaps(positive()),
    })
    .map((ticker) => {
      const { open, last } = ticker;
      const change = open === undefined ? undefined : divideFixed(last - open, open);
      return { ...ticker, instrumentId, change };
    });
}

export function publicTrades(instrumentId: InstrumentId): fc.Arbitrary<PublicTrade> {
  return fc.record({
    instrumentId: fc.constant(instrumentId),
    time: times(),
    price: positive(),
    quantity: notNegative(),
    takerSide: sides(),
  });
}

export function markPrices(instrumentId: InstrumentId): fc.Arbitrary<ContractIndex> {
  return fc.record({
    instrumentId: fc.constant(instrumentId),
    markPrice: positive(),
    indexPrice: positive(),
    fundingRate: signed(),
    nextFundingRate: signed(),
    time: times(),
  });
}

export function spotListings(): fc.Arbitrary<SpotListing> {
  return fc
    .record({
      pricePrecision: fc.integer({ min: 0, max: 9 }),
      quantityPrecision: fc.integer({ min: 0, max: 9 }),
      minOrderQuantity: positive(),
      minOrderMoney: positive(),
    })
    .map((rules) => ({
      kind: 'spot',
      instrumentId: createInstrumentId('spot', 'BTCUSDT'),
      symbol: 'BTCUSDT',
      base: 'BTC',
      quote: 'USDT',
      rules: { tradable: true, ...rules },
    }));
}

export function futuresListings(): fc.Arbitrary<FuturesListing> {
  return fc
    .record({
      isLinear: fc.boolean(),
      tradable: fc.boolean(),
      multiplier: positive(),
      pricePrecision: fc.integer({ min: 0, max: 18 }),
      maxWorkingOrders: fc.integer({ min: 1, max: 200 }),
      maximum: stepped(0, { min: 1_000n, max: 1_000_000n }),
      contractId: fc.integer({ min: 1, max: 999 }).map(String),
    })
    .map(({ isLinear, multiplier, maximum, contractId, ...rules }) => ({
      kind: 'futures',
      instrumentId: createInstrumentId('futures', 'E-BTC-USDT'),
      symbol: 'E-BTC-USDT',
      base: 'BTC',
      quote: 'USDT',
      contract: isLinear ? 'linear' : 'inverse',
      contractType: 'E',
      multiplier,
      multiplierAsset: isLinear ? 'BTC' : 'USDT',
      marginAsset: isLinear ? 'USDT' : 'BTC',
      maxLimitMoney: maximum,
      contractId,
      rules: {
        ...rules,
        quantityPrecision: 0,
        minOrderQuantity: 10n ** 18n,
        minOrderMoney: 10n ** 18n,
        maxMarketQuantity: maximum,
        maxMarketMoney: maximum,
        maxLimitQuantity: maximum,
      },
    }));
}

/** Orders with every field a query of the family can carry. */
export function venueOrders(kind: ProductKind): fc.Arbitrary<VenueOrder> {
  const isFutures = kind === 'futures';
  return fc
    .record({
      instrumentId: instrumentIds(kind),
      venueOrderId: venueOrderIds(),
      clientOrderId: perhaps(clientIds()),
      side: sides(),
      action: fc.constantFrom('open' as const, 'close' as const),
      type: fc.constantFrom('market' as const, 'limit' as const),
      timeInForce: fc.constantFrom(
        ...(['GTC', ...(isFutures ? ['IOC', 'FOK', 'POST_ONLY'] : [])] as ('GTC' | 'IOC')[]),
      ),
      status: fc.constantFrom(...FAMILY_STATUSES),
      limitPrice: positive(),
      quantity: notNegative(),
      filledQuantity: positive(),
      averagePrice: perhaps(positive()),
      filledNotional: notNegative(),
      createdTime: times(),
      marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
      leverage: positive(),
    })
    .map((order) => {
      const isMarket = order.type === 'market';
      return {
        ...order,
        action: isFutures ? order.action : undefined,
        timeInForce: isMarket ? undefined : order.timeInForce,
        limitPrice: isMarket ? undefined : order.limitPrice,
        filledNotional: isFutures ? order.filledNotional : undefined,
        marginMode: isFutures ? order.marginMode : undefined,
        leverage: isFutures ? order.leverage : undefined,
      };
    });
}

export function venueTrades(kind: ProductKind): fc.Arbitrary<VenueTrade> {
  const users = fc.integer({ min: 1, max: 99_999 }).map(String);
  return fc
    .record({
      instrumentId: instrumentIds(kind),
      venueTradeId: fc.bigInt(1n, 10n ** 18n).map(String),
      buyOrderId: venueOrderIds(),
      sellOrderId: venueOrderIds(),
      side: sides(),
      liquidity: fc.constantFrom('maker' as const, 'taker' as const),
      price: positive(),
      quantity: positive(),
      notional: positive(),
      fee: signed(),
      time: times(),
      buyUserId: users,
      sellUserId: users,
    })
    .map((trade) => ({
      ...trade,
      venueOrderId: trade.side === 'buy' ? trade.buyOrderId : trade.sellOrderId,
      notional: kind === 'futures' ? trade.notional : undefined,
      feeAsset: kind === 'futures' ? undefined : 'BTC',
    }));
}

export function profitRecords(): fc.Arbitrary<ProfitRecord> {
  return fc.record({
    id: longIds(),
    contractId: fc.constant('1'),
    side: sides(),
    marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
    quantity: positive(),
    leverage: positive(),
    openPrice: positive(),
    closePrice: perhaps(positive()),
    closeProfit: signed(),
    tradeFee: signed(),
    fundingFee: signed(),
    totalProfit: signed(),
    createdTime: times(),
    updatedTime: times(),
  });
}

export function spotAccounts(): fc.Arbitrary<SpotAccountSnapshot> {
  const balance = fc
    .record({ free: notNegative(), locked: notNegative() })
    .map((exact) => new Balance('USDT', exact));
  return fc.array(balance, { maxLength: 5 }).map((balances) => ({ kind: 'spot', balances }));
}

export function futuresAccounts(): fc.Arbitrary<FuturesAccountSnapshot> {
  return fc
    .array(marginAccounts(), { minLength: 1, maxLength: 3 })
    .map((accounts) => ({ kind: 'futures', accounts }));
}

function marginAccounts(): fc.Arbitrary<MarginAssetAccount> {
  return fc.record({
    marginAsset: fc.constantFrom('USDT', 'BTC'),
    available: signed(),
    locked: notNegative(),
    isolatedMargin: notNegative(),
    crossMargin: notNegative(),
    realizedProfit: signed(),
    unrealizedProfit: signed(),
    crossEquity: signed(),
    isolatedEquity: signed(),
    crossMarginRate: signed(),
    crossCost: notNegative(),
    accountMarginRate: signed(),
    // Positions of one contract only: the wire groups positions by contract, which would change their order.
    positions: fc.array(positions(), { maxLength: 3 }),
  });
}

function positions(): fc.Arbitrary<VenuePosition> {
  return fc.record({
    instrumentId: fc.constant(createInstrumentId('futures', 'E-BTC-USDT')),
    positionId: fc.integer({ min: 1, max: 9_999 }).map(String),
    direction: fc.constantFrom('long' as const, 'short' as const),
    marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
    quantity: notNegative(),
    pendingCloseQuantity: notNegative(),
    closedQuantity: notNegative(),
    openPrice: positive(),
    averagePrice: positive(),
    averageClosePrice: perhaps(positive()),
    markPrice: perhaps(positive()),
    leverage: positive(),
    margin: signed(),
    realizedProfit: signed(),
    totalRealizedProfit: signed(),
    unrealizedProfit: signed(),
    unrealizedOpenProfit: signed(),
    closeProfit: signed(),
    sharedAmount: signed(),
    tradeFee: signed(),
    fundingFee: signed(),
    value: notNegative(),
    marginRate: signed(),
    returnRate: signed(),
    maintenanceRate: notNegative(),
    maxFeeRate: notNegative(),
    liquidationPrice: signed(),
    frozen: fc.constantFrom('no' as const, 'liquidation' as const, 'delivery' as const),
    isValid: fc.boolean(),
    createdTime: times(),
    updatedTime: times(),
    frozenTime: perhaps(times()),
    contractId: fc.constant('1'),
    userId: fc.constant('10001'),
    brokerId: fc.constant('1'),
  });
}

/** Orders whose terms the venue accepts: the right unit, and a time in force of the market. */
export function orderRequests(kind: ProductKind): fc.Arbitrary<VenueOrderRequest> {
  const isFutures = kind === 'futures';
  return fc
    .record({
      instrumentId: instrumentIds(kind),
      clientOrderId: perhaps(clientIds()),
      side: sides(),
      action: fc.constantFrom('open' as const, 'close' as const),
      type: fc.constantFrom('market' as const, 'limit' as const),
      quantity: positive(),
      limitPrice: positive(),
      timeInForce: fc.constantFrom(
        'GTC' as const,
        'IOC' as const,
        'FOK' as const,
        'POST_ONLY' as const,
      ),
      marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
    })
    .map(({ type, limitPrice, timeInForce, action, marginMode, ...order }) => {
      const takesMoney = isFutures ? action === 'open' : order.side === 'buy';
      const ownUnit = isFutures ? 'contracts' : 'base';
      const common = {
        ...order,
        action: isFutures ? action : undefined,
        marginMode: isFutures ? marginMode : undefined,
      };
      return type === 'market'
        ? { ...common, type, unit: takesMoney ? 'quote' : ownUnit }
        : {
            ...common,
            type,
            unit: ownUnit,
            limitPrice,
            timeInForce: isFutures ? timeInForce : 'GTC',
          };
    });
}
