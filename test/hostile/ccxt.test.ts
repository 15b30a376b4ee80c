import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatFixed, present } from '../../src/domain/index.js';
import type { ExchangeAccount } from '../../src/local-exchange/exchange-account.js';
import { ANSWER_PROFILES } from '../../src/venue/wire/index.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../support/local-exchange/served-exchange.js';
import {
  FUTURES_ID,
  instrumentsAround,
  testAccount,
} from '../support/local-exchange/test-exchange.js';
import { V2Proxy } from '../support/local-exchange/v2-proxy.js';
import { REAL_TIME } from '../support/real-time.js';

/** The part of the library that this test uses. The compiler would need longer for its own types than for all of ours. */
interface Ccxt {
  readonly bitrue: new (options: object) => Bitrue;
}
type Row = Readonly<Record<string, unknown>>;
interface Bitrue {
  urls: { api: Record<string, string> };
  fetchMarkets(): Promise<readonly Row[]>;
  fetchTicker(symbol: string): Promise<Row>;
  fetchOrderBook(symbol: string, limit: number): Promise<{ bids: number[][]; asks: number[][] }>;
  fetchOHLCV(symbol: string, frame: string, since: undefined, limit: number): Promise<number[][]>;
  fetchBalance(parameters: object): Promise<Readonly<Record<string, Row>>>;
  createOrder(...order: readonly unknown[]): Promise<Row>;
  fetchOrder(id: unknown, symbol: string): Promise<Row>;
  fetchOpenOrders(symbol: string): Promise<readonly Row[]>;
  cancelOrder(id: unknown, symbol: string): Promise<Row>;
  fetchMyTrades(symbol: string): Promise<readonly Row[]>;
}

const CANDLES = { limit: 20, startTime: undefined, endTime: undefined };
const LIBRARY: string = 'ccxt';
const SYMBOL = 'BTC/USDT:USDT';

let served: ServedTestExchange;
let proxy: V2Proxy;
let bitrue: Bitrue;

async function serve(profile: (typeof ANSWER_PROFILES)[number]): Promise<void> {
  const now = REAL_TIME.now();
  served = await serveTestExchange({
    profile,
    clock: { mode: 'realtime', start: now },
    instruments: instrumentsAround(now),
  });
  const { key, secret } = testAccount();
  proxy = await V2Proxy.start(served.url, secret);
  const ccxt = (await import(LIBRARY)) as Ccxt;
  bitrue = new ccxt.bitrue({
    apiKey: key,
    secret,
    enableRateLimit: false,
    options: { defaultType: 'swap' },
  });
  const { url } = proxy;
  bitrue.urls.api = { spot: `${url}/api`, fapi: `${url}/fapi`, dapi: `${url}/dapi` };
}

/** The account in the exchange itself. */
function account(): ExchangeAccount {
  const { accounts } = served.exchange.parts;
  return present(accounts.byUser('10001'), 'the account').account;
}

/** Not for values that change while the client asks, such as times and market data. */
const number = (amount: bigint | undefined): number => Number(formatFixed(amount ?? 0n));

describe.each(ANSWER_PROFILES)('ccxt, class bitrue, profile %s', (profile) => {
  beforeEach(() => serve(profile));

  afterEach(async () => {
    await proxy.stop();
    await served.close();
  });

  it('reads the market', async () => {
    await loadMarkets();

    const ticker = await bitrue.fetchTicker(SYMBOL);
    const book = await bitrue.fetchOrderBook(SYMBOL, 5);
    const candles = await bitrue.fetchOHLCV(SYMBOL, '1m', undefined, 20);

    const now = REAL_TIME.now();
    const { market } = served.exchange.parts;
    expect(ticker['last']).toBeCloseTo(number(market.ticker(FUTURES_ID, now)?.last), -2);
    expect(book.bids[0]?.[0]).toBeLessThanOrEqual(book.asks[0]?.[0] ?? 0);
    const known = present(market.candleParts(FUTURES_ID, '1min', now, CANDLES), 'candles');
    const opens = new Map(known.closed.map(({ openTime, open }) => [openTime, open]));
    const shared = candles.filter(([time]) => opens.has(time ?? 0));
    expect(shared.length).toBeGreaterThan(17);
    expect(shared.filter(([time, open]) => opens.get(time ?? 0) !== open)).toEqual([]);
  });

  it('trades, and reads balances, orders and trades as the exchange has them', async () => {
    await loadMarkets();
    const before = await bitrue.fetchBalance({ type: 'swap' });
    const { accounts } = account().futures(REAL_TIME.now());
    expect(before['USDT']?.['free']).toBe(number(accounts[0]?.available));

    const bought = await bitrue.createOrder(SYMBOL, 'limit', 'buy', 10, 90_000);
    const resting = await bitrue.createOrder(SYMBOL, 'limit', 'buy', 7, 30_000);
    const filled = await bitrue.fetchOrder(bought['id'], SYMBOL);
    const open = await bitrue.fetchOpenOrders(SYMBOL);
    const trades = await bitrue.fetchMyTrades(SYMBOL);
    const after = await bitrue.fetchBalance({ type: 'swap' });

    const now = REAL_TIME.now();
    const [first, second] = account().orders(FUTURES_ID, now);
    expect([bought['id'], resting['id']]).toEqual([first?.venueOrderId, second?.venueOrderId]);
    expect(filled).toMatchObject({
      id: first?.venueOrderId,
      status: 'closed',
      side: 'buy',
      amount: 10,
      filled: number(first?.filledQuantity),
      average: number(first?.averagePrice),
      timestamp: first?.createdTime,
    });
    expect(open).toMatchObject([
      { id: second?.venueOrderId, status: 'open', price: 30_000, amount: 7, filled: 0 },
    ]);
    const own = account().trades(FUTURES_ID, now);
    expect(trades).toMatchObject(
      own.map(({ venueTradeId, price, quantity, time, liquidity }) => ({
        id: venueTradeId,
        side: 'buy',
        price: number(price),
        amount: number(quantity),
        timestamp: time,
        takerOrMaker: liquidity,
      })),
    );
    const held = account().futures(now).accounts[0];
    expect(after['USDT']?.['used']).toBe(number(held?.locked));

    await bitrue.cancelOrder(resting['id'], SYMBOL);
    expect(await bitrue.fetchOpenOrders(SYMBOL)).toEqual([]);
    const closing = { reduceOnly: true };
    await bitrue.createOrder(SYMBOL, 'market', 'sell', 10, undefined, closing);
    expect(account().futures(REAL_TIME.now()).accounts[0]?.positions).toEqual([]);
    await expect(bitrue.createOrder(SYMBOL, 'limit', 'buy', 0.5, 30_000)).rejects.toThrow('-1111');
    expect(proxy.unsigned).toBe(0);
  });
});

async function loadMarkets(): Promise<void> {
  const markets = await bitrue.fetchMarkets();
  expect(markets).toMatchObject([{ symbol: SYMBOL, contractSize: 0.0001, linear: true }]);
}
