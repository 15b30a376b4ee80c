import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { CallQueue } from '../../../src/client/calls/call-queue.js';
import {
  createCallQueue,
  VenueClient,
  type VenueClientOptions,
} from '../../../src/client/index.js';
import { RateLimitPolicy } from '../../../src/venue/index.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { FaultServer, json, type SeenRequest } from '../../support/fault-server.js';
import { REAL_TIME } from '../../support/real-time.js';
import { aBaseUrl, aVenueClient, TEST_CREDENTIALS } from '../../support/venue-client.js';

const OPTIONS = { signal: new AbortController().signal };
const ACCOUNT = ENDPOINTS['spot.account'].examples.answer;

let server: FaultServer;
let client: VenueClient;

beforeEach(async () => {
  server = await FaultServer.start((exchange) => {
    const isTime = exchange.request.path.endsWith('/time');
    json(isTime ? `{"serverTime":${String(Date.now())}}` : ACCOUNT)(exchange);
  });
});

afterEach(async () => {
  await server.stop();
  await client.close();
});

function start(overrides: Partial<VenueClientOptions> = {}): void {
  client = aVenueClient(server, overrides);
}

function anonymousClient(): VenueClient {
  const time = { clock: REAL_TIME, timers: REAL_TIME };
  return new VenueClient({
    hosts: { spot: aBaseUrl(server.url) },
    queue: createCallQueue(time),
    random: () => 0,
    ...time,
  });
}

function last(): SeenRequest {
  const request = server.seen.at(-1);
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

/** The expected signature of a request, by the definition of the algorithm. */
function signatureOf(signed: string): string {
  const timestamp = String(last().headers['x-ch-ts']);
  return createHmac('sha256', TEST_CREDENTIALS.secret.reveal())
    .update(timestamp + signed)
    .digest('hex');
}

describe('VenueClient', () => {
  it('signs exactly the bytes of a GET with a query', async () => {
    start();

    await client.fetch(ENDPOINTS['spot.openOrders'], { symbol: 'BTCUSDT', limit: 7 }, OPTIONS);

    expect(last().path).toBe('/sapi/v1/openOrders?symbol=BTCUSDT&limit=7');
    expect(last().headers['x-ch-sign']).toBe(
      signatureOf('GET/sapi/v1/openOrders?symbol=BTCUSDT&limit=7'),
    );
  });

  it('signs exactly the bytes of a POST', async () => {
    start();
    const { request } = ENDPOINTS['futures.cancel'].examples;

    await client.fetch(ENDPOINTS['futures.cancel'], request, OPTIONS);

    expect(last().body).toBe('{"contractName":"E-BTC-USDT","orderId":"2566092292056842280"}');
    expect(last().headers['x-ch-sign']).toBe(signatureOf(`POST/fapi/v1/cancel${last().body}`));
    expect(last().headers['content-type']).toBe('application/json');
  });

  it("sends a gateway's prefix and does not sign it", async () => {
    start({ hosts: { spot: aBaseUrl(`${server.url}/spot/open`) } });

    await client.call(ENDPOINTS['spot.account'], {}, OPTIONS);

    expect(last().path).toBe('/spot/open/sapi/v1/account');
    expect(last().headers['x-ch-sign']).toBe(signatureOf('GET/sapi/v1/account'));
  });

  it('sends neither key nor signature with a public call', async () => {
    start();

    await client.fetch(ENDPOINTS['spot.ticker'], { symbol: 'BTCUSDT' }, OPTIONS);

    expect(Object.keys(last().headers).filter((name) => name.startsWith('x-ch'))).toEqual([]);
  });

  it('sends nothing without credentials, without an address, or with a wrong field', async () => {
    start({ hosts: { spot: aBaseUrl(server.url) } });
    const anonymous = anonymousClient();

    const wrongField = client.call(ENDPOINTS['spot.ticker'], { symbol: '' }, OPTIONS);
    const noHost = client.call(ENDPOINTS['futures.ping'], {}, OPTIONS);

    await expect(anonymous.call(ENDPOINTS['spot.account'], {}, OPTIONS)).rejects.toThrow(
      'spot.account: there is no API key with its secret; nothing was sent',
    );
    await expect(wrongField).rejects.toMatchObject({ code: 'E_REQUEST' });
    await expect(noHost).rejects.toThrow(
      'venue futuresUrl: expected an address for calls to futures, received nothing (E_NO_HOST)',
    );
    expect(server.count()).toBe(0);
    await anonymous.close();
  });

  it('uses the host of spot for margin', async () => {
    start({ hosts: { spot: aBaseUrl(server.url) } });

    await client.fetch(ENDPOINTS['margin.openOrders'], { symbol: 'BTCUSDT' }, OPTIONS);

    expect(last().path).toContain('/sapi/v1/margin/openOrders');
  });

  it('never lets more calls arrive in a window than the limit, however long each travels', async () => {
    // Only answered calls free the budget in time: an unanswered call would hold its share for a minute.
    const windowMs = 120;
    const rules = [{ id: 'futures', limit: 2, windowMs }];
    const time = { clock: REAL_TIME, timers: REAL_TIME };
    start({
      queue: new CallQueue({ policy: new RateLimitPolicy({ rules, travelMs: 60_000 }), ...time }),
    });
    const arrivals: number[] = [];
    server.answerWith((exchange) => {
      arrivals.push(performance.now());
      REAL_TIME.after(arrivals.length * 5, () => {
        json('{}')(exchange);
      });
    });

    await Promise.all(
      Array.from({ length: 6 }, () => client.call(ENDPOINTS['futures.ping'], {}, OPTIONS)),
    );

    const inWindow = arrivals.map(
      (first) => arrivals.filter((at) => at >= first && at < first + windowMs).length,
    );
    expect(arrivals).toHaveLength(6);
    expect(Math.max(...inWindow)).toBe(2);
  });

  it('raises no warning when many calls listen to one signal', async () => {
    const warnings: string[] = [];
    const remember = (warning: Error): void => {
      warnings.push(warning.name);
    };
    process.on('warning', remember);
    start();

    await Promise.all(
      Array.from({ length: 15 }, () => client.call(ENDPOINTS['spot.ping'], {}, OPTIONS)),
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', remember);

    expect(warnings).toEqual([]);
  });

  it('sends nothing once it is closed, and may be closed twice', async () => {
    start();

    await client.close();
    await client.close();

    await expect(client.call(ENDPOINTS['spot.ping'], {}, OPTIONS)).rejects.toMatchObject({
      code: 'E_CLOSED',
    });
    expect(server.count()).toBe(0);
  });
});
