import { isPossibleCandle, type Fixed, type InstrumentId } from '../../domain/index.js';
import {
  requireInstrument,
  requireOrder,
  requirePrice,
  type AccountSource,
  type MarketDataSource,
  type Venue,
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
      return requireRow(call, instrumentId, ticker, ticker.last);
    },
    depth: async (instrumentId, options) => {
      const depth = await source.depth(instrumentId, options);
      const prices = [...depth.bids, ...depth.asks].map(({ price }) => price);
      return requireRow({ id: 'venue.marketData.depth' }, instrumentId, depth, ...prices);
    },
    trades: async (instrumentId, options) => {
      const call = { id: 'venue.marketData.trades' };
      const trades = await source.trades(instrumentId, options);
      for (const trade of trades) requireRow(call, instrumentId, trade, trade.price);
      return trades;
    },
    markPrice: async (instrumentId, options) => {
      const call = { id: 'venue.marketData.markPrice' };
      const index = await source.markPrice(instrumentId, options);
      return requireRow(call, instrumentId, index, index.markPrice);
    },
  };
}

/** Checks that a row is of the instrument that was asked for, with its prices above 0. @throws {WireFormatError} `E_WIRE_FORMAT` */
function requireRow<T extends { readonly instrumentId: InstrumentId }>(
  call: { readonly id: string },
  asked: InstrumentId,
  row: T,
  ...prices: readonly Fixed[]
): T {
  requireInstrument(call, asked, [row]);
  for (const price of prices) requirePrice(call, price);
  return row;
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
    trades: (instrumentId, options) =>
      checkedRows('venue.account.trades', source.trades(instrumentId, options), (call, trade) =>
        requireRow(call, instrumentId, trade, trade.price),
      ),
    orderHistory: (instrumentId, options) =>
      checkedRows(
        'venue.account.orderHistory',
        source.orderHistory(instrumentId, options),
        (call, order) => requireRow(call, instrumentId, order),
      ),
    ...(triggers && {
      triggers: async (instrumentId, options) => {
        const listed = await triggers(instrumentId, options);
        return requireInstrument({ id: 'venue.account.triggers' }, instrumentId, listed);
      },
    }),
    profits: (instrumentId, options) => source.profits(instrumentId, options),
  };
}

async function* checkedRows<T>(
  id: string,
  rows: AsyncIterable<T>,
  check: (call: { readonly id: string }, row: T) => T,
): AsyncGenerator<T> {
  for await (const row of rows) yield check({ id }, row);
}
