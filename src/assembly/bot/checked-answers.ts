import { isPossibleCandle } from '../../domain/index.js';
import {
  requireInstrument,
  requireOrder,
  requirePrice,
  type AccountSource,
  type MarketDataSource,
  type Venue,
  type VenueTrade,
} from '../../venue/index.js';

/**
 * Checks the readings of a venue of one's own as the client checks those of the exchange: each must be of the instrument or order that was asked for, with prices
 * above 0. Candles that cannot be true are left out.
 */
export function checkedAnswers({ marketData, execution, account }: Venue): Venue {
  return { execution, marketData: checkedMarket(marketData), account: checkedAccount(account) };
}

function checkedMarket(source: MarketDataSource): MarketDataSource {
  return {
    capabilities: source.capabilities,
    ping: (product, options) => source.ping(product, options),
    serverTime: (product, options) => source.serverTime(product, options),
    listings: (product, options) => source.listings(product, options),
    candles: async (instrumentId, interval, options) => {
      const candles = await source.candles(instrumentId, interval, options);
      requireInstrument({ id: 'venue.marketData.candles' }, instrumentId, candles);
      const newest = candles.reduce((latest, { openTime }) => Math.max(latest, openTime), 0);
      // A row that is left out still shows that the candles before it have ended.
      return candles
        .filter(isPossibleCandle)
        .map((candle) => (candle.openTime < newest ? { ...candle, closed: true } : candle));
    },
    ticker: async (instrumentId, options) => {
      const call = { id: 'venue.marketData.ticker' };
      const ticker = await source.ticker(instrumentId, options);
      requireInstrument(call, instrumentId, [ticker]);
      requirePrice(call, ticker.last);
      return ticker;
    },
    depth: (instrumentId, options) => source.depth(instrumentId, options),
    trades: (instrumentId, options) => source.trades(instrumentId, options),
    markPrice: async (instrumentId, options) => {
      const call = { id: 'venue.marketData.markPrice' };
      const index = await source.markPrice(instrumentId, options);
      requireInstrument(call, instrumentId, [index]);
      requirePrice(call, index.markPrice);
      return index;
    },
  };
}

function checkedAccount(source: AccountSource): AccountSource {
  const triggers = source.triggers?.bind(source);
  return {
    capabilities: source.capabilities,
    account: (product, options) => source.account(product, options),
    order: async (target, options) => {
      const order = await source.order(target, options);
      return order && requireOrder({ id: 'venue.account.order' }, target, order);
    },
    openOrders: async (instrumentId, options) => {
      const orders = await source.openOrders(instrumentId, options);
      return requireInstrument({ id: 'venue.account.openOrders' }, instrumentId, orders);
    },
    trades: (instrumentId, options) => checkedTrades(source, instrumentId, options),
    orderHistory: (instrumentId, options) => source.orderHistory(instrumentId, options),
    ...(triggers && { triggers }),
    profits: (instrumentId, options) => source.profits(instrumentId, options),
  };
}

async function* checkedTrades(
  source: AccountSource,
  ...[instrumentId, options]: Parameters<AccountSource['trades']>
): AsyncGenerator<VenueTrade> {
  const call = { id: 'venue.account.trades' };
  for await (const trade of source.trades(instrumentId, options)) {
    requireInstrument(call, instrumentId, [trade]);
    requirePrice(call, trade.price);
    yield trade;
  }
}
