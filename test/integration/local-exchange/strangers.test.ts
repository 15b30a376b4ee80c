import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccountSettings } from '../../../src/local-exchange/index.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../../support/local-exchange/served-exchange.js';
import { instrumentsAround, testAccount } from '../../support/local-exchange/test-exchange.js';
import type { TestExchangeOptions } from '../../support/local-exchange/test-exchange.js';
import { REAL_TIME } from '../../support/real-time.js';

let served: ServedTestExchange;

afterEach(async () => {
  await served.close();
});

async function serve(options: TestExchangeOptions = {}): Promise<void> {
  const now = REAL_TIME.now();
  served = await serveTestExchange({
    clock: { mode: 'realtime', start: now },
    instruments: instrumentsAround(now),
    ...options,
  });
}

/** A call as a stranger's client makes it: nothing of ours writes the request, and plain JSON reads the answer. */
async function call(method: 'GET' | 'POST', path: string, fields?: object): Promise<unknown> {
  const { key, secret } = testAccount();
  const timestamp = String(Date.now());
  const body = method === 'POST' ? JSON.stringify(fields ?? {}) : '';
  const signature = createHmac('sha256', secret).update(timestamp + method + path + body);
  const answer = await fetch(served.url + path, {
    method,
    ...(method === 'POST' ? { body } : {}),
    headers: {
      'content-type': 'application/json',
      'X-CH-APIKEY': key,
      'X-CH-TS': timestamp,
      'X-CH-SIGN': signature.digest('hex'),
    },
  });
  return answer.json();
}

const OPEN = {
  contractName: 'E-BTC-USDT',
  volume: 10,
  price: 30_000,
  type: 'LIMIT',
  side: 'BUY',
  open: 'OPEN',
};
const order = (positionType: number): Promise<unknown> =>
  call('POST', '/fapi/v1/order', { ...OPEN, positionType });

describe('the margin mode of a contract', () => {
  it('is that of the orders while it is flat and nothing of it works', async () => {
    await serve();

    const cross = await order(1);
    const other = await order(2);
    const { orderId } = cross as { orderId: number };
    const shown = (await call('GET', '/fapi/v1/openOrders?contractName=E-BTC-USDT')) as unknown[];
    expect(cross).not.toHaveProperty('code');
    expect(orderId).toBeGreaterThan(0);
    expect(other).toMatchObject({ code: -1165 });
    expect(shown).toHaveLength(1);
  });

  it('is that of a position as long as it is held', async () => {
    await serve();
    const bought = { ...OPEN, volume: 1_000, price: 70_000, type: 'MARKET' };
    await call('POST', '/fapi/v1/order', { ...bought, positionType: 1 });

    const other = await order(2);
    const account = await call('GET', '/fapi/v1/account');
    const close = { ...OPEN, side: 'SELL', open: 'CLOSE', type: 'MARKET', volume: 1 };
    const closed = await call('POST', '/fapi/v1/order', { ...close, positionType: 1 });

    expect(other).toMatchObject({ code: -1165 });
    expect(account).toMatchObject({
      account: { positionVos: [{ positions: [{ positionType: 1 }] }] },
    });
    expect(closed).not.toHaveProperty('code');
  });

  it('stays where the account fixes it', async () => {
    const fixed: AccountSettings = { ...testAccount(), marginMode: 'isolated' };
    await serve({ accounts: [fixed] });

    expect(await order(1)).toMatchObject({ code: -1165 });
    expect(await order(2)).not.toHaveProperty('code');
  });
});

describe.each(['interface', 'family'] as const)('profile %s', (profile) => {
  it('has no null among the limits of contracts', async () => {
    await serve({ profile });

    const [contract] = (await call('GET', '/fapi/v1/contracts')) as Record<string, unknown>[];

    expect(Object.entries(contract ?? {}).filter(([, value]) => value === null)).toEqual([]);
  });

  it.each([
    '/sapi/v1/openOrders?symbol=BTCUSDT',
    '/sapi/v1/myTrades?symbol=BTCUSDT&limit=100&fromId=0',
    '/sapi/v1/margin/openOrders?symbol=BTCUSDT',
    '/sapi/v1/margin/myTrades?symbol=BTCUSDT',
    '/sapi/v1/trades?symbol=BTCUSDT',
    '/fapi/v1/myTrades?contractName=E-BTC-USDT',
  ])('answers %s with a bare list', async (path) => {
    await serve({ profile });

    expect(await call('GET', path)).toBeInstanceOf(Array);
  });
});

describe('what a caller gets wrong is said', () => {
  it('a parameter that is sent twice is refused', async () => {
    await serve();

    const answer = await call('GET', '/sapi/v1/depth?symbol=BTCUSDT&limit=5&limit=100');

    expect(answer).toMatchObject({ code: -1101, msg: expect.stringContaining('limit') as string });
  });

  it('a window above 60,000 ms is refused', async () => {
    await serve();

    const answer = await call('GET', '/sapi/v1/account?recvWindow=60001');

    expect(answer).toMatchObject({ code: -1102, msg: expect.stringContaining('60000') as string });
  });

  it('in words, not as a pattern', async () => {
    await serve();

    const { msg } = (await call('GET', '/sapi/v1/depth?symbol=%2A')) as { msg: string };

    expect(msg).toContain('a name of 1 to 64 letters');
    expect(msg).not.toMatch(/[\\^$]/);
  });
});
