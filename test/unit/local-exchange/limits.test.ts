import { describe, expect, it } from 'vitest';
import { CallLimits, type AccountSettings } from '../../../src/local-exchange/index.js';
import {
  encodeRequest,
  ENDPOINT_LIST,
  ENDPOINTS,
  type EndpointId,
} from '../../../src/venue/wire/index.js';
import {
  MARKET_START,
  signerOf,
  startTestExchange,
  testAccount,
  type TestExchange,
} from '../../support/local-exchange/test-exchange.js';
import { VirtualTime } from '../../support/virtual-time.js';

const OTHER = testAccount('other', '10002');

function limitedExchange(): { readonly test: TestExchange; readonly time: VirtualTime } {
  const time = new VirtualTime(MARKET_START);
  const accounts = [testAccount(), OTHER];
  return { test: startTestExchange({ limits: {}, transport: time, accounts }), time };
}

/** Calls an endpoint with the request of its example. Returns whether the rate limit let it pass; the answer does not matter. */
async function isServed(
  test: TestExchange,
  id: EndpointId,
  account?: AccountSettings,
): Promise<boolean> {
  const endpoint = ENDPOINT_LIST.find((one) => one.id === id);
  const { status } = await test.call(id, endpoint?.examples.request as never, account);
  return status !== 429 && status !== 418;
}

async function countServed(test: TestExchange, id: EndpointId, calls: number): Promise<number> {
  let served = 0;
  for (let call = 0; call < calls; call += 1) if (await isServed(test, id)) served += 1;
  return served;
}

describe('rate limits', () => {
  it.each(ENDPOINT_LIST.map(({ id }) => id as EndpointId))(
    'serve exactly the limit of calls per window at %s',
    async (id) => {
      const { test, time } = limitedExchange();
      const limit = ENDPOINT_LIST.find((one) => one.id === id)?.rateLimit;
      const { count, windowMs } = limit ?? { count: 0, windowMs: 0 };

      expect(await countServed(test, id, count + 3)).toBe(count);
      await time.advance(windowMs - 1);
      expect(await countServed(test, id, 1)).toBe(0);
      await time.advance(1);
      expect(await countServed(test, id, count + 1)).toBe(count);
    },
  );

  it('serve at most 2 of 20 calls per second at a futures endpoint, in every window', async () => {
    const { test, time } = limitedExchange();
    const servedAt: number[] = [];

    for (let call = 0; call < 50; call += 1) {
      if (await isServed(test, 'futures.account')) servedAt.push(time.now());
      await time.advance(50);
    }

    for (const start of servedAt) {
      const inWindow = servedAt.filter((at) => at >= start && at < start + 1_000);
      expect(inWindow.length).toBeLessThanOrEqual(2);
    }
    expect(servedAt).toHaveLength(6);
  });

  it('count futures calls of one key together, and each key separately', async () => {
    const { test } = limitedExchange();

    expect(await isServed(test, 'futures.account')).toBe(true);
    expect(await isServed(test, 'futures.openOrders')).toBe(true);
    expect(await isServed(test, 'futures.myTrades')).toBe(false);
    expect(await isServed(test, 'futures.myTrades', OTHER)).toBe(true);
    expect(await isServed(test, 'futures.ticker')).toBe(true);
  });

  it('answer 429 with code -1003 and a Retry-After header', async () => {
    const { test } = limitedExchange();
    await countServed(test, 'futures.ping', 2);

    const { status, json, headers } = await test.call('futures.ping', {});

    expect([status, json]).toEqual([429, { code: -1003, msg: 'too many requests' }]);
    expect(headers.get('retry-after')).toBe('1');
  });

  it('answer 418 to further calls, until the ban is over', async () => {
    const { test, time } = limitedExchange();
    await countServed(test, 'futures.ping', 51);

    expect((await test.call('futures.ping', {})).status).toBe(418);
    // A ban is for all endpoints, not for one.
    expect((await test.call('spot.ping', {})).status).toBe(418);
    await time.advance(120_000);
    expect((await test.call('spot.ping', {})).status).toBe(200);
  });

  it('count calls with a wrong signature by address, so that guessing is limited', async () => {
    const { test } = limitedExchange();
    const external = { ...testAccount(), secret: 'wrong' };
    const statuses: number[] = [];

    for (let call = 0; call < 3; call += 1) {
      statuses.push((await test.call('futures.account', {}, external)).status);
    }

    expect(statuses).toEqual([401, 401, 429]);
    expect(await isServed(test, 'futures.account')).toBe(true);
  });

  it('run on the transport clock, so market time does not free calls', async () => {
    const { test } = limitedExchange();
    await countServed(test, 'futures.ping', 2);
    await test.control('POST', '/advance', { byMs: 60_000 });

    expect(await isServed(test, 'futures.ping')).toBe(false);
  });

  it('count a public call with a known key for this key', async () => {
    const { test } = limitedExchange();
    await countServed(test, 'futures.ping', 2);
    const { method, path } = encodeRequest(ENDPOINTS['futures.ping'], {});
    const headers = signerOf(OTHER).sign({ timestamp: MARKET_START, method, path, body: '' });

    const answer = await test.request('/fapi/v1/ping', { headers });

    expect(answer.status).toBe(200);
  });

  it('remember a bounded number of callers', () => {
    const limits = new CallLimits({ maxCallers: 100 });
    const [endpoint] = ENDPOINT_LIST;
    if (endpoint === undefined) throw new Error('expected an endpoint');
    for (let caller = 0; caller < 1_000; caller += 1) {
      limits.charge(caller, `address 10.0.${String(caller)}`, endpoint);
    }

    expect(limits.size).toBe(100);
  });
});
