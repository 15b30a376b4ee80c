import { afterEach, describe, expect, it } from 'vitest';
import { parseFixed } from '../../../src/domain/index.js';
import type { AccountSettings } from '../../../src/local-exchange/index.js';
import { PlainClient } from '../../support/local-exchange/plain-client.js';
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

async function call(method: 'GET' | 'POST', path: string, fields?: object): Promise<unknown> {
  const { json } = await new PlainClient(served.url, testAccount()).send(method, path, fields);
  return json;
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
  it('is that of working orders while the contract is flat', async () => {
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

  it('is that of the position while it is held', async () => {
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

  it('cannot be changed if the account fixes it', async () => {
    const fixed: AccountSettings = { ...testAccount(), marginMode: 'isolated' };
    await serve({ accounts: [fixed] });

    expect(await order(1)).toMatchObject({ code: -1165 });
    expect(await order(2)).not.toHaveProperty('code');
  });
});

describe('a position below the minimums', () => {
  const close = (volume: number): Promise<unknown> =>
    call('POST', '/fapi/v1/order', {
      ...OPEN,
      volume,
      side: 'SELL',
      open: 'CLOSE',
      type: 'MARKET',
      positionType: 2,
    });

  it.each([
    ['minOrderQuantity', '5', -1136],
    ['minOrderMoney', '30', -1160],
  ])('with %s can be closed as a whole, and not in part', async (name, minimum, code) => {
    await serve({ instruments: withRule(name, minimum) });
    await call('POST', '/fapi/v1/order', { ...OPEN, price: 90_000, positionType: 2 });
    const first = await close(7);

    const part = await close(2);
    const rest = await close(3);
    const account = await call('GET', '/fapi/v1/account');

    expect(first).not.toHaveProperty('code');
    expect(part).toMatchObject({ code });
    expect(rest).not.toHaveProperty('code');
    expect(account).toMatchObject({ account: { positionVos: [] } });
  });
});

/** The test market with one rule of its contract changed. */
function withRule(name: string, amount: string): ReturnType<typeof instrumentsAround> {
  return instrumentsAround(REAL_TIME.now()).map((source) => ({
    ...source,
    rules: source.rules.map((dated) =>
      source.instrument.kind === 'futures'
        ? { ...dated, rules: { ...dated.rules, [name]: parseFixed(amount) } }
        : dated,
    ),
  }));
}

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

describe('the lists of spot and margin', () => {
  it('are wrapped if the config requires it, except those of contracts', async () => {
    await serve({ profile: 'family', lists: 'wrapped' });

    expect(await call('GET', '/sapi/v1/trades?symbol=BTCUSDT')).toHaveProperty('list');
    expect(await call('GET', '/sapi/v1/openOrders?symbol=BTCUSDT')).toEqual({ list: [] });
    expect(await call('GET', '/fapi/v1/myTrades?contractName=E-BTC-USDT')).toEqual([]);
  });
});

describe('fields of profile family', () => {
  it('include ids as text, contract ids as numbers, fee rates, and all parts of a result', async () => {
    await serve({ profile: 'family' });
    const bought = { ...OPEN, price: 90_000, positionType: 2 };
    await call('POST', '/fapi/v1/order', bought);
    const account = await call('GET', '/fapi/v1/account');
    await call('POST', '/fapi/v1/order', { ...bought, side: 'SELL', open: 'CLOSE', price: 10_000 });

    const contracts = await call('GET', '/fapi/v1/contracts');
    const history = await call('POST', '/fapi/v1/orderHistorical', { contractName: 'E-BTC-USDT' });
    const profits = await call('POST', '/fapi/v1/profitHistorical', { contractName: 'E-BTC-USDT' });

    expect(contracts).toMatchObject([{ contractId: 2 }]);
    expect(account).toMatchObject({ account: [{ positionVos: [{ contractId: 2 }] }] });
    const rates = { openMakerFeeRate: '0.0002', openTakerFeeRate: '0.0006' };
    const closing = { closeMakerFeeRate: '0.0002', closeTakerFeeRate: '0.0006' };
    expect((history as unknown[])[0]).toMatchObject({ contractId: 2, ...rates, ...closing });
    const text = expect.stringMatching(/^-?\d/) as string;
    const parts = { realizedAmount: text, settleProfit: '0', shareAmount: '0' };
    expect(profits).toMatchObject([{ contractId: 2, ...parts }]);
  });

  it('make fromId optional', async () => {
    await serve({ profile: 'family' });

    expect(await call('GET', '/sapi/v1/myTrades?symbol=BTCUSDT')).toEqual([]);
  });
});

describe('a batch', () => {
  const entry = { volume: '0.01', side: 'BUY', batchType: 'LIMIT' };
  const batch = (...prices: string[]): Promise<unknown> =>
    call('POST', '/sapi/v1/batchOrders', {
      symbol: 'BTCUSDT',
      orders: prices.map((price) => ({ ...entry, price })),
    });

  it('names its refused orders and the reasons', async () => {
    await serve({ profile: 'family' });

    expect(await batch('30000', '30000.001', '31000')).toMatchObject({
      ids: [expect.any(String), expect.any(String)],
      refused: [{ index: 1, code: '-1111', msg: expect.stringContaining('30000.001') as string }],
    });
    expect(await batch('30000.001')).toMatchObject({
      code: '-1111',
      msg: expect.stringContaining('orders[0]: ') as string,
    });
  });

  it('has the code of a refused order as errors have it: a number by the interface', async () => {
    await serve();

    expect(await batch('30000', '30000.001')).toMatchObject({
      refused: [{ index: 1, code: -1111 }],
    });
    expect(await batch('30000.001')).toMatchObject({ code: -1111 });
  });

  it('names its orders that cannot be parsed', async () => {
    await serve();

    expect(await batch('30000', 'cheap')).toMatchObject({
      msg: expect.stringContaining('orders[1].price') as string,
    });
  });
});

describe('the futures account', () => {
  it.each([
    ['interface', { USDT: '1' }, 'an object'],
    ['interface', { USDT: '1', BTC: '0' }, 'a list'],
    ['family', { USDT: '1' }, 'a list'],
  ] as const)(
    'of profile %s with %o is %s, independent of its holdings',
    async (profile, futures, form) => {
      const balances = { ...testAccount().balances, futures };
      await serve({ profile, accounts: [{ ...testAccount(), balances }] });

      const { account } = (await call('GET', '/fapi/v1/account')) as { account: unknown };

      expect(Array.isArray(account) ? 'a list' : 'an object').toBe(form);
    },
  );
});

describe('an invalid request', () => {
  it('is refused if a parameter is sent twice', async () => {
    await serve();

    const answer = await call('GET', '/sapi/v1/depth?symbol=BTCUSDT&limit=5&limit=100');

    expect(answer).toMatchObject({ code: -1101, msg: expect.stringContaining('limit') as string });
  });

  it('is refused if its window is above 60,000 ms', async () => {
    await serve();

    const answer = await call('GET', '/sapi/v1/account?recvWindow=60001');

    expect(answer).toMatchObject({ code: -1102, msg: expect.stringContaining('60000') as string });
  });

  it('is explained in words, without a pattern', async () => {
    await serve();

    const { msg } = (await call('GET', '/sapi/v1/depth?symbol=%2A')) as { msg: string };

    expect(msg).toContain('a name of 1 to 64 letters');
    expect(msg).not.toMatch(/[\\^$]/);
  });
});
