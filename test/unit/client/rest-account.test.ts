import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { RestAccount, type VenueClient } from '../../../src/client/index.js';
import { createInstrumentId, parseVenueOrderId } from '../../../src/domain/index.js';
import { byPath, FaultServer, json, type Reply } from '../../support/fault-server.js';
import { aVenueClient } from '../../support/venue-client.js';

const OPTIONS = { signal: new AbortController().signal };
const SPOT = createInstrumentId('spot', 'BTCUSDT');
const MARGIN = createInstrumentId('margin', 'BTCUSDT');
const FUTURES = createInstrumentId('futures', 'E-BTC-USDT');
const VENUE_ORDER_ID = parseVenueOrderId('7');

let server: FaultServer;
let client: VenueClient;
let account: RestAccount;

beforeEach(async () => {
  server = await FaultServer.start(json('{}'));
  client = aVenueClient(server);
  account = new RestAccount(client);
});

afterEach(async () => {
  await server.stop();
  await client.close();
});

function answer(path: string, body: unknown): void {
  const time: Reply = (exchange) => {
    json(`{"serverTime":${String(Date.now())}}`)(exchange);
  };
  const answers = {
    '/sapi/v1/time': time,
    '/fapi/v1/time': time,
    [path]: json(JSON.stringify(body)),
  };
  server.answerWith(byPath(answers));
}

const PAIR_ORDER = {
  ...{ orderId: 7, clientOrderId: 'ek-1', symbol: 'BTCUSDT', price: 0, avgPrice: 65_000 },
  ...{ origQty: 0.01, executedQty: 0.01, type: 'MARKET', side: 'SELL', status: 'FILLED' },
};
const CONTRACT_ORDER = {
  ...{ orderId: 7, contractName: 'E-BTC-USDT', price: 0, avgPrice: 65_000, action: 'CLOSE' },
  ...{ origQty: 2, executedQty: 2, side: 'SELL', status: 'FILLED', transactTime: 1 },
};
const OTHER = { symbol: 'ETHUSDT', contractName: 'E-ETH-USDT' };

describe.each([
  { id: SPOT, path: '/sapi/v1/order', order: PAIR_ORDER },
  { id: MARGIN, path: '/sapi/v1/margin/order', order: PAIR_ORDER },
  { id: FUTURES, path: '/fapi/v1/order', order: CONTRACT_ORDER },
])('the order that $path answers', ({ id, path, order }) => {
  const ask = (changes: object) => {
    answer(path, { ...order, ...changes });
    return account.order({ instrumentId: id, venueOrderId: VENUE_ORDER_ID }, OPTIONS);
  };

  it('is the one that was asked for', async () => {
    expect(await ask({})).toMatchObject({ instrumentId: id, venueOrderId: VENUE_ORDER_ID });
  });

  it.each([
    ['has another id', { orderId: 8 }, 'order 7, received order 8'],
    ['is of another instrument', OTHER, `rows of ${id}, received one of`],
    ['is filled and has filled nothing', { executedQty: 0 }, 'the filled quantity'],
  ])('is unreadable if it %s', async (_, changes, text) => {
    const failure = ask(changes);
    await expect(failure).rejects.toMatchObject({ code: 'E_WIRE_FORMAT' });
    await expect(failure).rejects.toThrow(text);
  });

  it('is unreadable if it is a filled LIMIT order with less than its quantity', async () => {
    const changes = { type: 'LIMIT', price: 1, origQty: 3, executedQty: 2 };
    await expect(ask(changes)).rejects.toMatchObject({ code: 'E_WIRE_FORMAT' });
    expect(await ask({ ...changes, status: 'CANCELED' })).toMatchObject({ status: 'canceled' });
  });
});

const PAIR_TRADE = {
  ...{ symbol: 'BTCUSDT', id: 5, bidId: 7, askId: 9, price: 65_000, qty: 0.01, time: 1 },
  ...{ isBuyer: true, isMaker: false, feeCoin: 'BTC', fee: 0.00001 },
};
const CONTRACT_TRADE = {
  ...{ contractName: 'E-BTC-USDT', tradeId: 5, bidId: 7, askId: 9, price: 65_000, qty: 2 },
  ...{ amount: 130, time: 1, fee: 0.1, side: 'BUY', isMaker: false, isBuyer: true },
};

describe('a list of an instrument', () => {
  it.each([
    { id: SPOT, orders: '/sapi/v1/openOrders', trades: '/sapi/v1/myTrades' },
    { id: MARGIN, orders: '/sapi/v1/margin/openOrders', trades: '/sapi/v1/margin/myTrades' },
    { id: FUTURES, orders: '/fapi/v1/openOrders', trades: '/fapi/v1/myTrades' },
  ])('is unreadable if it has a row of another one: $orders', async ({ id, orders, trades }) => {
    const isFutures = id === FUTURES;
    const order = isFutures ? CONTRACT_ORDER : PAIR_ORDER;
    const trade = isFutures ? CONTRACT_TRADE : PAIR_TRADE;

    answer(orders, [order, { ...order, orderId: 8 }]);
    expect(await account.openOrders(id, OPTIONS)).toHaveLength(2);
    answer(orders, [order, { ...order, ...OTHER }]);
    await expect(account.openOrders(id, OPTIONS)).rejects.toMatchObject({ code: 'E_WIRE_FORMAT' });

    const read = async () => {
      const rows = [];
      for await (const row of account.trades(id, OPTIONS)) rows.push(row);
      return rows;
    };
    answer(trades, [trade]);
    expect(await read()).toHaveLength(1);
    answer(trades, [trade, { ...trade, ...OTHER, id: 99, tradeId: 99 }]);
    await expect(read()).rejects.toMatchObject({ code: 'E_WIRE_FORMAT' });
  });
});
