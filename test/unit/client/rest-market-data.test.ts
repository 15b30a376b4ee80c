import { MockAgent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { RestMarketData, type VenueClient } from '../../../src/client/index.js';
import { createInstrumentId, MINUTE_MS } from '../../../src/domain/index.js';
import { aVenueClient } from '../../support/venue-client.js';
import { VirtualTime } from '../../support/virtual-time.js';

const ORIGIN = 'http://127.0.0.1:1';
const SIGNAL = new AbortController().signal;
const SPOT = createInstrumentId('spot', 'BTCUSDT');
const OPEN = Date.UTC(2025, 0, 1);

let agent: MockAgent;
let time: VirtualTime;
let client: VenueClient;

beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
});

afterEach(async () => {
  await client.close();
});

/** A venue with one candle, whose answer takes a time, and whose clock is ahead. */
function start(now: number, answerMs = 0, aheadMs = 0): RestMarketData {
  time = new VirtualTime(now);
  const pool = agent.get(ORIGIN);
  pool
    .intercept({ path: '/sapi/v1/time' })
    .reply(() => ({
      statusCode: 200,
      data: `{"timezone":"UTC","serverTime":${String(time.now() + aheadMs)}}`,
    }))
    .persist();
  pool
    .intercept({ path: (path) => path.startsWith('/sapi/v1/klines') })
    .reply(() => {
      time.block(answerMs);
      const row = { idx: OPEN, open: 1, high: 1, low: 1, close: 1, vol: 1 };
      return { statusCode: 200, data: JSON.stringify([row]) };
    })
    .persist();
  client = aVenueClient({ url: ORIGIN }, { clock: time, timers: time, dispatcher: agent });
  return new RestMarketData(client);
}

async function isClosed(data: RestMarketData): Promise<boolean | undefined> {
  const reading = data.candles(SPOT, '1min', { signal: SIGNAL });
  await time.drain();
  return (await reading)[0]?.closed;
}

describe('the newest candle of an answer', () => {
  it('is not closed if it ended while the answer was on its way', async () => {
    const data = start(OPEN + MINUTE_MS - 100, 3_000);

    expect(await isClosed(data)).toBe(false);
  });

  it.each([
    { aheadMs: 20_000, atMs: -1_000, closed: false },
    { aheadMs: 20_000, atMs: 1_000, closed: true },
    { aheadMs: -20_000, atMs: 1_000, closed: false },
    { aheadMs: -20_000, atMs: 21_000, closed: true },
  ])('is closed by both clocks or not: %o', async ({ aheadMs, atMs, closed }) => {
    const data = start(OPEN + MINUTE_MS + atMs, 0, aheadMs);

    expect(await isClosed(data)).toBe(closed);
  });

  it('is closed if it had ended at the call', async () => {
    expect(await isClosed(start(OPEN + MINUTE_MS))).toBe(true);
  });
});
