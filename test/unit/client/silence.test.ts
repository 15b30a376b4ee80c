import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { VenueClient } from '../../../src/client/index.js';
import { ENDPOINTS } from '../../../src/venue/wire/index.js';
import { FaultServer, json, type Reply } from '../../support/fault-server.js';
import { aVenueClient } from '../../support/venue-client.js';
import { VirtualTime } from '../../support/virtual-time.js';

const CONTRACT = { contractName: 'E-BTC-USDT' };
const TICKER = (signal: AbortSignal): Promise<unknown> =>
  client.call(ENDPOINTS['futures.ticker'], CONTRACT, { signal });
const READINGS = [
  TICKER,
  (signal: AbortSignal) => client.call(ENDPOINTS['futures.account'], {}, { signal }),
  (signal: AbortSignal) => {
    const request = { ...CONTRACT, interval: '1min', limit: 2 } as const;
    return client.call(ENDPOINTS['futures.klines'], request, { signal });
  },
];
/** The local exchange bans a key after so many refused calls. */
const BANNED_AFTER = 50;

let server: FaultServer;
let client: VenueClient;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime(1_700_000_000_000);
  server = await FaultServer.start(answered);
  client = aVenueClient(server, {
    ...{ clock: time, timers: time, againAfterMs: 3_000 },
    breaker: {},
    retry: { retries: 0 },
  });
});

afterEach(async () => {
  await server.stop();
  await client.close();
});

const answered: Reply = (exchange) => {
  const { path } = exchange.request;
  const id = path.split('?')[0]?.replace('/fapi/v1/', 'futures.') as 'futures.ticker';
  if (id.endsWith('.time')) json(`{"serverTime":${String(time.now())}}`)(exchange);
  else json(ENDPOINTS[id].examples.answer)(exchange);
};

/** Lets sockets deliver what was sent. */
const deliver = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 4));

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await time.advance(1_000);
    await deliver();
  }
}

/** Reads again and again, a second after each answer or failure, until the signal. Returns the failures. */
function poll(reading: typeof TICKER, signal: AbortSignal): string[] {
  const failures: string[] = [];
  const read = async (): Promise<void> => {
    while (!signal.aborted) {
      await reading(signal).catch((error: unknown) => {
        failures.push(String(error));
      });
      await new Promise<void>((resolve) => {
        time.after(1_000, resolve);
      });
    }
  };
  void read();
  return failures;
}

describe('VenueClient while a venue takes calls and answers none', () => {
  it('sends less in two minutes than a venue that reads all of it later would ban for', async () => {
    const end = new AbortController();
    for (const reading of READINGS) poll(reading, end.signal);
    await pass(5);
    const before = server.seen.length;
    server.answerWith(() => undefined);

    await pass(120);
    end.abort();

    expect(server.seen.length - before).toBeLessThan(BANNED_AFTER);
    expect(server.seen.length - before).toBeGreaterThan(20);
  });

  it('asks ever more seldom, and never gives up', async () => {
    const end = new AbortController();
    const failures = poll(TICKER, end.signal);
    server.answerWith(() => undefined);
    await pass(300);
    const early = server.seen.length;

    await pass(300);
    end.abort();

    expect(server.seen.length - early).toBeGreaterThanOrEqual(9);
    expect(server.seen.length - early).toBeLessThanOrEqual(14);
    expect(failures.join('\n')).toMatch(/E_CIRCUIT_OPEN|has answered nothing for/);
  });

  it('reads again within three seconds of its end', async () => {
    const end = new AbortController();
    poll(TICKER, end.signal);
    server.answerWith(() => undefined);
    await pass(60);
    server.answerWith(answered);
    const before = server.seen.length;

    await pass(3);
    const during = server.seen.length - before;
    await pass(3);
    end.abort();

    expect(during).toBeGreaterThanOrEqual(1);
    expect(server.seen.length - before).toBeGreaterThan(during);
  });

  it('counts all that the venue reads at the end, before it sends more', async () => {
    const end = new AbortController();
    const held: Parameters<Reply>[0][] = [];
    for (const reading of READINGS) poll(reading, end.signal);
    server.answerWith((exchange) => held.push(exchange));
    await pass(30);
    server.answerWith(answered);
    // The venue reads everything at once, also what came on connections that are closed.
    for (const exchange of held) answered(exchange);
    await deliver();
    await deliver();

    const used = client.budgets()[0]?.used ?? 0;
    end.abort();

    expect(held.length).toBeGreaterThan(8);
    expect(used).toBeGreaterThanOrEqual(held.length);
  });

  it('sends cancels all the same', async () => {
    const { signal } = new AbortController();
    await client.serverTime('futures', signal);
    const end = new AbortController();
    poll(TICKER, end.signal);
    server.answerWith(() => undefined);
    await pass(20);
    const cancel = (): Promise<unknown> =>
      client.call(ENDPOINTS['futures.cancel'], { ...CONTRACT, orderId: '7' }, { signal });

    void cancel().catch(() => undefined);
    await pass(4);
    void cancel().catch(() => undefined);
    await pass(4);
    end.abort();

    expect(server.count('/fapi/v1/cancel')).toBe(2);
    await pass(20);
  });

  it('is not silent for a venue that closes connections: it has no calls to read', async () => {
    const end = new AbortController();
    const failures = poll(TICKER, end.signal);
    server.answerWith(({ socket }) => socket.destroy());

    await pass(60);
    end.abort();

    expect(failures.join('\n')).not.toMatch(/has answered nothing for/);
  });
});
