import { MockAgent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { VenueClient } from '../../../src/client/index.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { aVenueClient } from '../../support/venue-client.js';
import { VirtualTime } from '../../support/virtual-time.js';

const ORIGIN = 'http://127.0.0.1:1';
const SIGNAL = new AbortController().signal;
const ORDER = { symbol: 'BTCUSDT', volume: '1', side: 'SELL', type: 'MARKET' } as const;

let agent: MockAgent;
let time: VirtualTime;
let client: VenueClient;
/** When orders arrived, in milliseconds since the start. */
let arrivals: number[];
let begin: number;

beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
  time = new VirtualTime();
  arrivals = [];
  begin = time.now();
  client = aVenueClient({ url: ORIGIN }, { clock: time, timers: time, dispatcher: agent });
});

afterEach(async () => {
  await client.close();
});

/** The first order gets an answer with a Retry-After of 30,000 s. The others are accepted. */
function serve(onArrival: () => void = () => undefined): void {
  const pool = agent.get(ORIGIN);
  pool
    .intercept({ path: '/sapi/v1/time' })
    .reply(() => ({
      statusCode: 200,
      data: `{"timezone":"UTC","serverTime":${String(time.now())}}`,
    }))
    .persist();
  pool
    .intercept({ path: '/sapi/v1/order', method: 'POST' })
    .reply(() => {
      arrivals.push(time.now() - begin);
      if (arrivals.length === 1) {
        const headers = { 'retry-after': '30000' };
        const data = '{"code":-1003,"msg":"slow"}';
        return { statusCode: 429, data, responseOptions: { headers } };
      }
      onArrival();
      return { statusCode: 200, data: ENDPOINTS['spot.order'].examples.answer };
    })
    .persist();
}

async function order(waitSignal?: AbortSignal): Promise<string> {
  const call = client.ask(ENDPOINTS['spot.order'], ORDER, {
    signal: SIGNAL,
    priority: 'exit',
    ...(waitSignal && { waitSignals: [waitSignal] }),
  });
  return call.then(
    ({ kind }) => kind,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('an order while its rate limit rests', () => {
  it('is sent a minute after the refusal, even if Retry-After is longer', async () => {
    serve();
    expect(await order()).toMatch(/asks to wait 30000000 ms/);

    const second = order();
    await time.drain();

    expect([await second, arrivals]).toEqual(['answer', [0, 60_000]]);
  });

  it('is not sent if its wait is aborted', async () => {
    serve();
    await order();
    const wait = new AbortController();
    const second = order(wait.signal);
    await time.advance(10_000);

    wait.abort(new Error('stopped'));
    await time.drain();

    expect([await second, arrivals]).toEqual(['stopped', [0]]);
  });

  it('is not ended with its wait once it was sent', async () => {
    const wait = new AbortController();
    serve(() => {
      wait.abort(new Error('stopped'));
    });
    await order();
    const second = order(wait.signal);

    await time.drain();

    expect([await second, arrivals]).toEqual(['answer', [0, 60_000]]);
  });
});
